// All kernels on one roofline.
#pragma once

#include <vector>

#include "harness/view/series.h"
#include "roofline/view/chart.h"

namespace gpp {

/// Whether the studies are of several kernels.
bool several_kernels(const std::vector<NamedStudy>& studies);

/// kernels-WORK, for each kind of work that several of the kernels have a place on, in operations
/// and in instructions: a series for each kernel, at the outermost level of memory. Of a kernel
/// whose steps are numbered it has the first and the fastest, of another all variants.
std::vector<roofline::Chart> kernel_charts(const std::vector<NamedStudy>& studies);

}  // namespace gpp
