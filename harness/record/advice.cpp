#include "harness/record/advice.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "harness/record/derive.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

using roofline::Binding;
using roofline::Cause;
using roofline::Events;
using roofline::events_of;
using roofline::LineEvidence;
using roofline::LineGroup;

/// A function that measures how strongly some events show a cause.
using Measure = std::function<std::uint64_t(const Events& stalls, const Events& counts)>;

Measure beyond(const char* name, const char* ideal) {
  return [name, ideal](const Events& /*stalls*/, const Events& counts) {
    const std::uint64_t all = events_of(counts, name), least = events_of(counts, ideal);
    return all - std::min(all, least);
  };
}

Measure count_of(const char* name) {
  return [name](const Events& /*stalls*/, const Events& counts) { return events_of(counts, name); };
}

/// Sampling and counters use different names for one stall reason.
Measure samples_of(const std::string& stall) {
  return [stall](const Events& stalls, const Events& /*counts*/) {
    return events_of(stalls, stall == "no_instruction" ? "no_instructions" : stall);
  };
}

/// Returns nothing if no line can show the cause.
Measure measure_of(const Cause& cause) {
  if (cause.name == "global_scattered") return beyond("sectors", "ideal_sectors");
  if (cause.name == "shared_one_bank")
    return beyond("shared_wavefronts", "ideal_shared_wavefronts");
  if (cause.binding == Binding::latency) return samples_of(cause.name);
  if (cause.binding != Binding::roof) return {};
  if (cause.name == "shared") return count_of("shared_wavefronts");
  if (cause.name == "compute" || cause.name == "issue")
    return [](const Events& stalls, const Events& /*counts*/) { return roofline::sum_of(stalls); };
  return count_of("sectors");
}

std::string source_of(const LinesRecord& lines, const roofline::SourcePlace& place) {
  const std::string* line = lines.source(place);
  return line == nullptr ? "" : roofline::visible(std::string(roofline::trimmed(*line)));
}

/// Finds the hottest code that was inlined at a line.
void add_within(const LinesRecord& lines, const LineGroup& group, const Measure& measure,
                HotLine& hot) {
  const LineEvidence* most = nullptr;
  for (const LineEvidence& part : group.parts)
    if (most == nullptr || measure(part.stalls, part.counts) > measure(most->stalls, most->counts))
      most = &part;
  if (most == nullptr || most->place == group.place || most->place.file.empty()) return;
  hot.within = most->place;
  hot.within_source = source_of(lines, most->place);
}

/// Returns 7 for v7; for a user's variant, the number of its parent.
int place_on_the_ladder(const Result& result) {
  return number_of(number_of(result.variant) > 0 ? result.variant : result.parent);
}

/// True if the model lacks the step and has a text file that says so.
bool is_lacking(const Kernel& kernel, const std::string& model, const std::string& id) {
  const std::vector<Variant>& all = kernel.catalog();
  return std::ranges::any_of(all, [&](const Variant& variant) {
    return variant.model == model && variant.id == id && variant.source.ends_with(".md");
  });
}

const StepAim* next_step(const Kernel& kernel, const Result& result, const Cause& cause) {
  for (const StepAim& aim : guide_of(kernel).aims)
    if (number_of(aim.id) > place_on_the_ladder(result) &&
        std::ranges::find(aim.against, cause.name) != aim.against.end() &&
        !is_lacking(kernel, result.model, aim.id))
      return &aim;
  return nullptr;
}

/// `lines` may be nullptr.
LinkedCause linked(const StudyRecord& study, const Result& result, const Cause& cause,
                   const LinesRecord* lines) {
  LinkedCause linked{cause, {}, next_step(kernel_of(study), result, cause)};
  if (lines != nullptr) linked.line = hottest_line(*lines, cause);
  return linked;
}

LinkedAdvice linked(const StudyRecord& study, const Result& result, const roofline::Facts& facts,
                    const LinesRecord* lines) {
  LinkedAdvice found;
  found.advice = roofline::advice_of(facts);
  found.first = linked(study, result, found.advice.cause, lines);
  if (found.advice.also) found.also = linked(study, result, *found.advice.also, lines);
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

/// Facts about one kernel of a variant.
roofline::Facts facts_of(const StudyRecord& study, const Result& result,
                         const roofline::KernelProfile& kernel) {
  roofline::Facts facts = facts_of(study, result);
  facts.point = kernel.placed.leading();
  facts.metrics = &kernel.metrics;
  facts.instructions = &kernel.instructions.points;
  facts.seconds = kernel.seconds.value_or(0);
  facts.launches = static_cast<double>(kernel.launches);
  return facts;
}

Json place_json(const roofline::SourcePlace& place, const std::string& source) {
  return {{"file", roofline::visible(place.file)}, {"line", place.line}, {"source", source}};
}

void add_links(const LinkedCause& linked, Json& json) {
  json["line"] = nullptr;
  json["step"] = nullptr;
  if (linked.line) {
    json["line"] = place_json(linked.line->place, linked.line->source);
    json["line"]["share"] = linked.line->share;
    json["line"]["within"] = linked.line->within
                                 ? place_json(*linked.line->within, linked.line->within_source)
                                 : Json(nullptr);
  }
  if (linked.step != nullptr) json["step"] = {{"id", linked.step->id}, {"by", linked.step->by}};
}

}  // namespace

std::optional<HotLine> hottest_line(const LinesRecord& lines, const Cause& cause) {
  const Measure measure = measure_of(cause);
  if (!measure) return std::nullopt;
  const std::vector<LineGroup> groups = roofline::by_variant_line(lines.lines);
  const LineGroup* hottest = nullptr;
  std::uint64_t most = 0, all = 0;
  for (const LineGroup& group : groups) {
    const std::uint64_t own = measure(group.stalls, group.counts);
    all += own;
    if (own <= most) continue;
    most = own;
    hottest = &group;
  }
  if (hottest == nullptr) return std::nullopt;
  HotLine hot{hottest->place,
              source_of(lines, hottest->place),
              static_cast<double>(most) / static_cast<double>(all),
              {},
              {}};
  add_within(lines, *hottest, measure, hot);
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
  return linked(study, result, facts_of(study, result, kernel), nullptr);
}

Json to_json(const LinkedAdvice& linked) {
  Json json = roofline::advice_json(linked.advice);
  add_links(linked.first, json);
  if (linked.also) add_links(*linked.also, json["also"]);
  return json;
}

}  // namespace gpp
