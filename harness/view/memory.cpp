#include "harness/view/memory.h"

#include <fmt/format.h>

#include "harness/record/derive.h"

namespace gpp {

std::optional<roofline::MemoryChart> memory_chart(const StudyRecord& study, const Result& result,
                                                  const std::string& name) {
  if (!result.timed()) return std::nullopt;
  return roofline::memory_chart(
      name, result.counted.metrics, result.timing().median, roofline::table_of(result.kind),
      ceilings_of_kind(study, result.kind), roofline::is_hardware(result.counted.source));
}

std::vector<roofline::Picture> memory_pictures(const std::vector<NamedStudy>& studies) {
  std::vector<roofline::Picture> pictures;
  for (const StudySeries& series : series_of(studies)) {
    std::vector<roofline::MemoryChart> charts;
    for (const Result* result : series.results)
      if (auto chart = memory_chart(series.study(), *result, full_name(*result)))
        charts.push_back(*std::move(chart));
    if (charts.empty()) continue;
    const std::string of = studies.size() > 1 ? series.named->name + "-" : "";
    pictures.push_back(
        {roofline::file_stem("memory-" + of + model_label(series.model, series.kind)),
         memory_svg(charts), memory_table(charts)});
  }
  return pictures;
}

}  // namespace gpp
