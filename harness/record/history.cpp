#include "harness/record/history.h"

#include <fmt/format.h>

namespace gpp {
namespace {

roofline::HistoryPart part_of(const Result& result) {
  const Trusted trusted = result.trusted();
  return roofline::history_part(trusted.disturbed ? std::vector<double>() : trusted.samples,
                                result.kind, result.counted.metrics);
}

}  // namespace

roofline::HistoryRecord history_record(const std::string& label, const StudyRecord& study) {
  roofline::HistoryRecord record{label, study.created, {}};
  for (const Result& result : study.results)
    if (result.status == Status::passed)
      record.parts[fmt::format("{} {} {}", model_label(result.model, result.kind), result.variant,
                               result.step)] = part_of(result);
  return record;
}

}  // namespace gpp
