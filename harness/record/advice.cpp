#include "harness/record/advice.h"

#include <algorithm>

#include "harness/record/derive.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Binding;
using roofline::Cause;
using roofline::Events;
using roofline::events_of;
using roofline::LineGroup;

/// How strongly events show a cause; 0 if no line can show it.
std::uint64_t shown_by(const Events& stalls, const Events& counts, const Cause& cause) {
  const auto beyond = [&counts](const char* name, const char* ideal) {
    const std::uint64_t all = events_of(counts, name);
    return all - std::min(all, events_of(counts, ideal));
  };
  if (cause.name == "global_scattered") return beyond("sectors", "ideal_sectors");
  if (cause.name == "shared_one_bank")
    return beyond("shared_wavefronts", "ideal_shared_wavefronts");
  if (cause.binding == Binding::latency)  // sampling and counters name one stall differently
    return events_of(stalls, cause.name == "no_instruction" ? "no_instructions" : cause.name);
  if (cause.binding != Binding::roof) return 0;
  if (cause.name == "compute" || cause.name == "issue") return roofline::sum_of(stalls);
  return events_of(counts, cause.name == "shared" ? "shared_wavefronts" : "sectors");
}

std::string source_of(const LinesRecord& lines, const roofline::SourcePlace& place) {
  const std::string* line = lines.source(place);
  return line == nullptr ? "" : roofline::visible(std::string(roofline::trimmed(*line)));
}

/// The first step of the guide after the result's own, or after its parent, that acts on the cause.
/// A model that lacks the step has a text file that says so.
const StepAim* next_step(const Kernel& kernel, const Result& result, const Cause& cause) {
  const int own = number_of(number_of(result.variant) > 0 ? result.variant : result.parent);
  for (const StepAim& aim : guide_of(kernel).aims) {
    const auto is_lacking = [&](const Variant& variant) {
      return variant.model == result.model && variant.id == aim.id &&
             variant.source.ends_with(".md");
    };
    if (number_of(aim.id) > own && std::ranges::count(aim.against, cause.name) > 0 &&
        std::ranges::none_of(kernel.catalog(), is_lacking))
      return &aim;
  }
  return nullptr;
}

/// `lines` may be nullptr.
LinkedAdvice linked(const StudyRecord& study, const Result& result, const roofline::Facts& facts,
                    const LinesRecord* lines) {
  const auto link = [&](const Cause& cause) {
    return LinkedCause{cause, lines == nullptr ? std::nullopt : hottest_line(*lines, cause),
                       next_step(kernel_of(study), result, cause)};
  };
  const roofline::Advice advice = roofline::advice_of(facts);
  LinkedAdvice found{advice, link(advice.cause), {}};
  if (advice.also) found.also = link(*advice.also);
  return found;
}

roofline::Facts facts_of(const StudyRecord& study, const Result& result) {
  roofline::Facts facts;
  facts.point = result.roofline();
  facts.metrics = &result.counted.metrics;
  facts.instructions = &result.instructions;
  facts.seconds = result.timing().median;
  facts.launches = static_cast<double>(result.launches.size());
  if (const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind))
    facts.launch_cost = ceilings->launch;
  return facts;
}

}  // namespace

std::optional<HotLine> hottest_line(const LinesRecord& lines, const Cause& cause) {
  const auto shown_at = [&cause](const auto& part) {
    return shown_by(part.stalls, part.counts, cause);
  };
  const std::vector<LineGroup> groups = roofline::by_variant_line(lines.lines);
  std::uint64_t all = 0;
  for (const LineGroup& group : groups) all += shown_at(group);
  if (all == 0) return std::nullopt;
  const LineGroup& hottest = *std::ranges::max_element(groups, {}, shown_at);
  HotLine hot{hottest.place, source_of(lines, hottest.place),
              static_cast<double>(shown_at(hottest)) / static_cast<double>(all)};
  const auto within = std::ranges::max_element(hottest.parts, {}, shown_at);
  if (within != hottest.parts.end() && within->place != hottest.place &&
      !within->place.file.empty()) {
    hot.within = within->place;
    hot.within_source = source_of(lines, within->place);
  }
  return hot;
}

std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result) {
  if (!result.timed()) return std::nullopt;
  if (result.roofline() == nullptr && !roofline::top_stall(result.counted.metrics))
    return std::nullopt;
  return linked(study, result, facts_of(study, result), result.lines ? &*result.lines : nullptr);
}

std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result,
                                      const roofline::KernelProfile& kernel) {
  if (kernel.placed.leading() == nullptr && !roofline::top_stall(kernel.metrics))
    return std::nullopt;
  roofline::Facts facts = facts_of(study, result);
  facts.point = kernel.placed.leading();
  facts.metrics = &kernel.metrics;
  facts.instructions = &kernel.instructions.points;
  facts.seconds = kernel.seconds.value_or(0);
  facts.launches = static_cast<double>(kernel.launches);
  return linked(study, result, facts, nullptr);
}

}  // namespace gpp
