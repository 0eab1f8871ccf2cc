// All that a program needs to count its work, to place it under the roofs of its device and to draw
// that in the terminal. examples/outside/ is such a program.
#pragma once

#include "roofline/base/parallel.h"
#include "roofline/ceilings/cache.h"
#include "roofline/counting.h"
#include "roofline/points.h"
#include "roofline/recorder.h"
#include "roofline/view/terminal_chart.h"
