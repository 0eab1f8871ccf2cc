#include "harness/program/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "roofline/base/text.h"

namespace gpp {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// The step of the ladder that the variant is; its end where it is none.
auto place_on(const PublishedLadder& ladder, const Variant& variant) {
  return std::ranges::find(ladder.steps, variant.id, &LadderStep::variant);
}

/// Of a wanted model, and on the ladder where there is one.
bool is_among(const Variant& variant, const Wanted& wanted) {
  if (!wanted.models.empty() && !has(wanted.models, variant.model)) return false;
  return wanted.ladder == nullptr ||
         place_on(*wanted.ladder, variant) != wanted.ladder->steps.end();
}

void require(const std::vector<std::string>& names, const std::string& name,
             const std::string& what, const std::string& option = {}) {
  std::vector<std::string> once;
  std::ranges::copy_if(names, std::back_inserter(once),
                       [&once](const std::string& one) { return !has(once, one); });
  if (!has(once, name))
    throw roofline::InputError(option + roofline::unknown_name(what, name, once));
}

/// Throws for a name of no variant. --only may leave steps of a ladder out, and nothing else.
void require_names(const std::vector<Variant>& catalog, const Wanted& wanted) {
  std::vector<std::string> models, names;
  for (const Variant& variant : catalog) {
    models.push_back(variant.model);
    if (is_among(variant, wanted)) names.insert(names.end(), {variant.id, variant.step});
  }
  for (const std::string& model : wanted.models) require(models, model, "model", "--model: ");
  const std::string what =
      wanted.ladder == nullptr ? "variant" : "step of the ladder " + wanted.ladder->name;
  for (const std::string& name : wanted.only) require(names, name, what);
}

std::size_t rank_of(const std::string& model) {
  const std::array<std::string_view, 4> order = {"cuda", "omp", "thrust", "serial"};
  return static_cast<std::size_t>(std::ranges::find(order, model) - order.begin());
}

}  // namespace

bool is_wanted(const Variant& variant, const Wanted& wanted) {
  if (!is_among(variant, wanted)) return false;
  if (wanted.only.empty())
    return wanted.ladder != nullptr || !is_of_ladders_alone(*wanted.kernel, variant.id);
  return has(wanted.only, variant.id) || has(wanted.only, variant.step);
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
  if (wanted.ladder != nullptr)
    std::ranges::sort(choices, {}, [&](const Choice& one) {
      return std::pair(std::ranges::find(catalog, one.variant->model, &Variant::model),
                       place_on(*wanted.ladder, *one.variant));
    });
  return choices;
}

std::string model_for(const PublishedLadder& ladder, const std::vector<Variant>& catalog,
                      std::string_view kind) {
  Wanted wanted;
  wanted.kind = kind;
  const Choice first = select_one(catalog, ladder.steps.front().variant, wanted);
  return first.build == nullptr ? "cuda" : first.variant->model;
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
