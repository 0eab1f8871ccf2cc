#include "harness/record/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "harness/record/derive.h"
#include "roofline/base/text.h"
#include "roofline/models/model_table.h"

namespace gpp {
namespace {

using roofline::Cause;

/// The first step of the guide after the result's own, or after its parent, that acts on the cause.
/// A model that lacks the step has a text file that says so.
const StepAim* next_step(const Kernel& kernel, const Result& result, const Cause& cause) {
  const int own = number_of(number_of(result.variant) > 0 ? result.variant : result.parent);
  for (const StepAim& aim : aims_of(kernel)) {
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

roofline::Facts facts_of(const StudyRecord& study, const Result& result) {
  roofline::Facts facts;
  if (const roofline::Ceilings* ceilings = ceilings_of_kind(study, result.kind))
    facts.launch_cost = ceilings->launch;
  facts.point = result.roofline();
  facts.metrics = &result.counted.metrics;
  facts.instructions = &result.instructions;
  facts.seconds = result.timing().median;
  facts.launches = static_cast<double>(result.launches.size());
  return facts;
}

}  // namespace

std::vector<StepAim> read_aims(std::string_view text, const std::string& file) {
  std::vector<StepAim> aims;
  for (const roofline::TableBlock& block :
       roofline::read_blocks(text, file, {{"step", {"against", "by"}}})) {
    StepAim& aim = aims.emplace_back(StepAim{block.name, {}, block.text("by")});
    std::istringstream list(block.text("against"));
    for (std::string cause; std::getline(list, cause, ',');) {
      aim.against.emplace_back(roofline::trimmed(cause));
      if (roofline::find_advice(aim.against.back()) == nullptr)
        block.refuse(block.line, fmt::format("no cause '{}'", roofline::visible(cause)));
    }
  }
  return aims;
}

const std::vector<StepAim>& aims_of(const Kernel& kernel) {
  static std::map<const Kernel*, std::vector<StepAim>> all;
  const auto [place, is_new] = all.try_emplace(&kernel);
  if (is_new && kernel.guide != nullptr)
    place->second = read_aims(kernel.guide().text, std::string(kernel.guide().path));
  return place->second;
}

std::optional<LinkedAdvice> advice_on(const StudyRecord& study, const Result& result) {
  if (!result.timed()) return std::nullopt;
  const roofline::Facts facts = facts_of(study, result);
  if (facts.point == nullptr && !roofline::top_stall(*facts.metrics)) return std::nullopt;
  const roofline::Advice advice = roofline::advice_of(facts);
  LinkedAdvice found{{}, advice.next};
  for (const std::optional<Cause>& cause : {std::optional(advice.cause), advice.also})
    if (cause) found.causes.push_back({*cause, next_step(kernel_of(study), result, *cause)});
  return found;
}

}  // namespace gpp
