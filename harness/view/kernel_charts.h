// All kernels on one roofline.
#pragma once

#include <vector>

#include "harness/view/series.h"
#include "roofline/view/chart.h"

namespace gpp {

/// True if the studies are of several kernels.
bool several_kernels(const std::vector<NamedStudy>& studies);

/// Charts kernels-WORK, for each kind of work in which several kernels have points, in operations
/// and in instructions. Each kernel is a series at the outermost memory level. A kernel with
/// numbered steps shows the first and the fastest, another kernel all variants.
std::vector<roofline::Chart> kernel_charts(const std::vector<NamedStudy>& studies);

}  // namespace gpp
