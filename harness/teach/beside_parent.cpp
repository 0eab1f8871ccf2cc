#include "harness/teach/beside_parent.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "harness/program/source_diff.h"
#include "harness/program/source_files.h"
#include "harness/record/comparison.h"
#include "harness/view/series.h"
#include "roofline/base/json_place.h"
#include "roofline/base/table.h"
#include "roofline/base/units.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

/// Compares one variant with another one of the same study.
Comparison beside(const StudyRecord& study, const Result& child, const Result& parent) {
  Comparison comparison =
      compare_results(study, &parent, parent.variant, study, &child, child.variant);
  for (const Result* result : {&parent, &child})
    if (!result->timed())
      comparison.remark =
          fmt::format("{} {}", result->variant,
                      result->status == Status::passed ? "was not timed" : "did not pass");
  return comparison;
}

std::string in_words(const Comparison& comparison) {
  switch (comparison.verdict) {
    case Verdict::faster:
    case Verdict::slower:
      return fmt::format("{}: the 95% intervals of the two medians do not overlap",
                         name_of(comparison.verdict));
    case Verdict::same:
      return "neither faster nor slower: the difference is within noise";
    default:
      return fmt::format("{}: {}", name_of(comparison.verdict), comparison.remark);
  }
}

}  // namespace

Choice parent_of(const std::vector<Variant>& catalog, const std::filesystem::path& sources,
                 const Choice& child) {
  if (child.variant->id != child.variant->step) return {};
  std::string text = text_of(sources / child.variant->source);
  if (text.empty()) text = source_text(child.variant->source).value_or("");  // a plug-in's text
  const Variant* parent = predecessor(catalog, *child.variant, text);
  if (parent == nullptr) return {};
  return choose(*parent, child.build != nullptr ? child.build->kind : "");
}

std::string against_parent(const StudyRecord& study, const Result& child, const Result& parent) {
  using enum roofline::Table::Align;
  const Comparison comparison = beside(study, child, parent);
  roofline::Table table({{"beside its parent", left},
                         {"time", right},
                         {kernel_of(study).work + "/s", right},
                         {"speed", right},
                         {"% of roof", right},
                         {"bound by", left}});
  const auto row = [&](const Result& result, double factor) {
    const double rate = terms_per_second(study, result);
    const roofline::RooflinePoint* roof = result.roofline();
    table.add({full_name(result),
               rate > 0 ? roofline::describe_seconds(result.timing().median) : "-",
               rate > 0 ? fmt::format("{:.2e}", rate) : "-",
               factor > 0 ? roofline::times_text(factor) : "-",
               roof ? roofline::percent_text(roof->percent_of_roof, 0) : "-",
               roof ? verdict(*roof, result.counted.metrics).by : "-"});
  };
  row(parent, comparison.rate_a > 0 ? 1.0 : 0.0);
  row(child, comparison.factor());
  std::string text =
      fmt::format("{}{} is {}.\n", table.text(), child.variant, in_words(comparison));
  if (const auto cycles = gain_that_clocks_hide(parent, child))
    text += fmt::format("That is by time. At an equal clock it is {} as fast.\n",
                        roofline::times_text(*cycles));
  return text;
}

nlohmann::ordered_json against_parent_json(const StudyRecord& study, const Result& child,
                                           const Result& parent) {
  const Comparison comparison = beside(study, child, parent);
  return {{"variant", parent.variant},
          {"step", parent.step},
          {"terms_per_s", roofline::json_positive(comparison.rate_a)},
          {"factor", roofline::json_positive(comparison.factor())},
          {"verdict", name_of(comparison.verdict)},
          {"remark", comparison.remark}};
}

}  // namespace gpp
