#include "harness/record/history.h"

#include <fmt/format.h>

#include "roofline/models/model_table.h"
#include "roofline/profile.h"

namespace gpp {
namespace {

roofline::HistoryPart history_part(const Result& result) {
  roofline::HistoryPart part;
  const Trusted trusted = result.trusted();
  if (!trusted.disturbed) part.runs = trusted.samples;
  const roofline::ModelTable& table = roofline::table_of(result.kind);
  for (const roofline::Model& model : table.models)
    if (const auto work = roofline::metric_value(result.counted.metrics, model.work))
      part.work[roofline::work_key(model.name)] = *work;
  for (const roofline::Level& level : table.levels)
    if (const auto bytes = roofline::metric_value(result.counted.metrics, level.traffic))
      part.bytes[level.name] = *bytes;
  return part;
}

}  // namespace

roofline::HistoryRecord history_record(const std::string& label, const StudyRecord& study) {
  roofline::HistoryRecord record{label, study.created, {}};
  for (const Result& result : study.results)
    if (result.status == Status::passed)
      record.parts[fmt::format("{} {} {}", model_label(result.model, result.kind), result.variant,
                               result.step)] = history_part(result);
  return record;
}

}  // namespace gpp
