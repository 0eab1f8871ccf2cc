// What moved between the levels of memory while a variant ran (roofline/view/memory_chart.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/view/series.h"
#include "roofline/view/chart_files.h"
#include "roofline/view/memory_chart.h"

namespace gpp {

/// Empty where the result was not timed, or the bytes of too few levels are known.
std::optional<roofline::MemoryChart> memory_chart(const StudyRecord& study, const Result& result,
                                                  const std::string& name);

/// One for each series that has such charts: memory-cuda, memory-omp_gpu. Those of several studies
/// carry the studies' names.
std::vector<roofline::Picture> memory_pictures(const std::vector<NamedStudy>& studies);

}  // namespace gpp
