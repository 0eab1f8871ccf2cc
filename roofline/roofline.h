// Everything that a program needs to count its work, compute its roofline points, and draw them in
// the terminal. examples/outside/ is such a program.
#pragma once

#include "roofline/base/parallel.h"
#include "roofline/ceilings/measure.h"
#include "roofline/counting.h"
#include "roofline/points.h"
#include "roofline/recorder.h"
#include "roofline/view/roofline_chart.h"
