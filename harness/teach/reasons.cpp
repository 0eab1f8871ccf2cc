#include "harness/teach/reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "harness/record/comparison.h"
#include "harness/view/steps.h"
#include "roofline/base/units.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

std::string as_sentence(std::string words) {
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words + ".";
}

std::string why_speedup(const StudyRecord& study, const Result& result, const Result& before) {
  if (judge_times(before, before.variant, 1, result, result.variant, 1).verdict == Verdict::same)
    return "The two times differ by no more than they scatter: the step changes nothing here.";
  const std::string why = explained(study, result, before);
  return why.empty()
             ? "No counter of this record accounts for half of it. The lesson tells what is known."
             : why;
}

std::string why_operations(const StudyRecord& study, const Result& before) {
  const double flop = before.roofline() == nullptr ? 0 : before.roofline()->flop;
  if (!(flop > 0) || study.input.terms <= 0) return {};
  return fmt::format("{} has {:.4g}.", before.variant,
                     flop / static_cast<double>(study.input.terms));
}

std::string why_registers(const Result& result, const Result* before) {
  const Launch* launch = largest_launch(result);
  if (launch == nullptr) return {};
  const Launch* last = before == nullptr ? nullptr : largest_launch(*before);
  const std::string beside =
      last == nullptr ? "" : fmt::format("{} takes {}. ", before->variant, last->registers);
  return beside + fmt::format("With {} threads a block, {} of a multiprocessor's warps fit.",
                              launch->threads_per_block,
                              roofline::percent_text(100 * launch->occupancy, 0));
}

std::string why_bound(const Result& result) {
  const roofline::RooflinePoint* point = result.roofline();
  if (point == nullptr) return {};
  const roofline::Verdict found = verdict(*point, result.counted.metrics);
  if (!found.evidence.empty()) return as_sentence(found.evidence);
  return fmt::format("{} of that roof is reached.", roofline::percent_text(point->percent_of_roof));
}

}  // namespace

std::string explained(const StudyRecord& study, const Result& result, const Result& before) {
  const std::vector<NamedStudy> named = {{"", study}};
  const ShownResults shown(named);
  for (const ShownRow& row : shown.rows()) {
    if (row.result->variant != result.variant || row.result->model != result.model ||
        row.result->kind != result.kind)
      continue;
    const ShownRow* first = shown.before(row);
    if (first == nullptr || first->result->variant != before.variant) return {};
    const std::string why = explained_by(shown, row);
    return why.empty() ? "" : as_sentence(why);
  }
  return {};
}

std::map<Asked, std::string> reasons_of(const StudyRecord& study, const Result& result,
                                        const Result* before) {
  std::map<Asked, std::string> why;
  if (before != nullptr && before->timed()) {
    why[Asked::speedup] = why_speedup(study, result, *before);
    why[Asked::flop_per_term] = why_operations(study, *before);
  }
  why[Asked::registers] = why_registers(result, before);
  why[Asked::bound_by] = why_bound(result);
  std::erase_if(why, [](const auto& one) { return one.second.empty(); });
  return why;
}

}  // namespace gpp
