#include "harness/program/selection.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!has(names, name)) names.push_back(name);
}

bool called(const Variant& variant, const std::string& name) {
  return variant.id == name || variant.step == name;
}

bool is_of_wanted_model(const Variant& variant, const Wanted& wanted) {
  return wanted.models.empty() || has(wanted.models, variant.model);
}

/// The number of the ladder's step that the variant is, from 0.
std::optional<std::size_t> place_on(const PublishedLadder& ladder, const Variant& variant) {
  for (std::size_t i = 0; i < ladder.steps.size(); ++i)
    if (ladder.steps[i].variant == variant.id) return i;
  return std::nullopt;
}

/// Model by model, as the catalog has them, in the ladder's order.
void sort_by_ladder(std::vector<Choice>& choices, const PublishedLadder& ladder) {
  std::vector<std::string> models;
  for (const Choice& choice : choices) add_once(models, choice.variant->model);
  const auto key = [&](const Choice& choice) {
    return std::pair(std::ranges::find(models, choice.variant->model),
                     place_on(ladder, *choice.variant));
  };
  std::ranges::sort(choices, [&key](const Choice& a, const Choice& b) { return key(a) < key(b); });
}

void require(const std::vector<std::string>& names, const std::string& name,
             const std::string& kind, const std::string& option) {
  if (!has(names, name))
    throw roofline::InputError(option + roofline::unknown_name(kind, name, names));
}

/// Throws for a name of no variant. --only may leave steps of a ladder out, and nothing else.
void require_names(const std::vector<Variant>& catalog, const Wanted& wanted) {
  std::vector<std::string> models, names;
  for (const Variant& variant : catalog) {
    add_once(models, variant.model);
    if (!is_of_wanted_model(variant, wanted)) continue;
    if (wanted.ladder != nullptr && !place_on(*wanted.ladder, variant)) continue;
    add_once(names, variant.id);
    add_once(names, variant.step);
  }
  for (const std::string& model : wanted.models) require(models, model, "model", "--model: ");
  const std::string of_models =
      wanted.models.empty() ? "" : fmt::format(" of model {}", fmt::join(wanted.models, " or "));
  for (const std::string& name : wanted.only)
    if (wanted.ladder != nullptr)
      require(names, name, fmt::format("step of the ladder {}", wanted.ladder->name), "--only: ");
    else
      require(names, name, "variant" + of_models, "");
}

std::size_t rank_of(const std::string& model) {
  const std::array<std::string_view, 4> order = {"cuda", "omp", "thrust", "serial"};
  return static_cast<std::size_t>(std::ranges::find(order, model) - order.begin());
}

}  // namespace

bool is_wanted(const Variant& variant, const Wanted& wanted) {
  if (!is_of_wanted_model(variant, wanted)) return false;
  if (wanted.ladder != nullptr && !place_on(*wanted.ladder, variant)) return false;
  if (wanted.only.empty())
    return wanted.ladder != nullptr || !is_of_ladders_alone(*wanted.kernel, variant.id);
  return std::ranges::any_of(wanted.only,
                             [&variant](const std::string& name) { return called(variant, name); });
}

Choice choose(const Variant& variant, std::string_view kind) {
  if (variant.builds.empty()) return {&variant, nullptr, variant.reason};
  std::string reason = fmt::format("not built for the device '{}'", kind);
  for (const NotBuilt& lacking : variant.not_built)
    if (lacking.kind == kind) reason = fmt::format("{}: {}", reason, lacking.reason);
  for (const std::string_view preferred : {"gpu", "host"}) {
    if (!kind.empty() && kind != preferred) continue;
    for (const Build& build : variant.builds) {
      if (build.kind != preferred) continue;
      reason = build.runtime->unavailable();
      if (reason.empty()) return {&variant, &build, ""};
    }
  }
  return {&variant, nullptr, reason};
}

std::vector<Choice> select(const std::vector<Variant>& catalog, const Wanted& wanted) {
  require_names(catalog, wanted);
  std::vector<Choice> choices;
  for (const Variant& variant : catalog)
    if (is_wanted(variant, wanted)) choices.push_back(choose(variant, wanted.kind));
  if (wanted.ladder != nullptr) sort_by_ladder(choices, *wanted.ladder);
  return choices;
}

std::string model_for(const PublishedLadder& ladder, const std::vector<Variant>& catalog,
                      std::string_view kind) {
  const Variant* best = nullptr;
  for (const Variant& variant : catalog)
    if (variant.id == ladder.steps.front().variant && choose(variant, kind).build != nullptr &&
        (best == nullptr || rank_of(variant.model) < rank_of(best->model)))
      best = &variant;
  return best == nullptr ? "cuda" : best->model;
}

Choice select_one(const std::vector<Variant>& catalog, const std::string& name,
                  const Wanted& wanted) {
  Wanted one = wanted;
  one.only = {name};
  const std::vector<Choice> choices = select(catalog, one);
  const auto before = [](const Choice& a, const Choice& b) {
    return std::pair(a.build == nullptr, rank_of(a.variant->model)) <
           std::pair(b.build == nullptr, rank_of(b.variant->model));
  };
  return *std::ranges::min_element(choices, before);
}

std::vector<const Runtime*> runtimes_of(const std::vector<Variant>& catalog) {
  std::vector<const Runtime*> runtimes;
  for (const Variant& variant : catalog)
    for (const Build& build : variant.builds)
      if (std::ranges::find(runtimes, build.runtime) == runtimes.end())
        runtimes.push_back(build.runtime);
  return runtimes;
}

}  // namespace gpp
