// gpp compare: two studies, variant by variant.

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/record/comparison.h"
#include "harness/view/summary.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"
#include "roofline/base/within.h"

namespace gpp {
namespace {

struct CompareRequest {
  std::filesystem::path a, b;
  bool force = false;
  std::optional<double> within;  ///< largest allowed difference in per cent
  bool json = false;
};

roofline::TableCell cell_of(double value, const char* format) {
  const auto text = [format](double x) { return fmt::format(fmt::runtime(format), x); };
  return roofline::cell::number(value > 0 ? std::optional(value) : std::nullopt, text);
}

roofline::Table table_of(const std::vector<Comparison>& comparisons, const std::string& work) {
  using enum roofline::Align;
  using roofline::TableCell;
  const std::vector<roofline::ColumnOf<Comparison>> columns = {
      {{"model", "model"}, [](const Comparison& c) { return TableCell{c.model}; }},
      {{"kind", "on"}, [](const Comparison& c) { return TableCell{c.kind}; }},
      {{"variant", "variant"}, [](const Comparison& c) { return TableCell{c.variant}; }},
      {{"step", "step"}, [](const Comparison& c) { return TableCell{c.step}; }},
      {{"terms_per_s_a", fmt::format("A {}/s", work), "", "", right},
       [](const Comparison& c) { return cell_of(c.rate_a, "{:.3e}"); }},
      {{"terms_per_s_b", fmt::format("B {}/s", work), "", "", right},
       [](const Comparison& c) { return cell_of(c.rate_b, "{:.3e}"); }},
      {{"factor", "B/A", "", "", right},
       [](const Comparison& c) { return cell_of(c.factor(), "{:.3f}"); }},
      {{"factor_in_cycles", "in cycles", "", "", right},
       [](const Comparison& c) { return cell_of(c.factor_in_cycles.value_or(0), "{:.3f}"); }},
      {{"verdict", "B is"}, [](const Comparison& c) { return TableCell{name_of(c.verdict)}; }},
      {{"remark", "remark"}, [](const Comparison& c) { return TableCell{c.remark}; }}};
  roofline::Table table = roofline::table_of(columns, comparisons, {});
  for (std::size_t i = 0; i < comparisons.size(); ++i)
    table.rows[i].tone = comparisons[i].verdict == Verdict::faster   ? "good"
                         : comparisons[i].verdict == Verdict::slower ? "bad"
                                                                     : "";
  table.notes = {
      "in cycles: B/A at an equal clock, by which --within judges where it is known.",
      fmt::format(
          "faster, slower: the 95% intervals of the medians do not overlap, and the medians "
          "differ by more than {:.0f}%.",
          100 * least_difference),
      fmt::format("disturbed: others took more than {:.0f}% of the processor; run again on an idle "
                  "machine.",
                  100 * disturbed_threshold)};
  return table;
}

int compare_studies(const CompareRequest& request) {
  const StudyRecord a = read_record(request.a);
  const StudyRecord b = read_record(request.b);
  require_comparable(a, b, request.force);
  const std::vector<Comparison> comparisons = compare(a, b);
  const roofline::Table table = table_of(comparisons, kernel_of(a).work);
  if (request.json) {
    fmt::print("{}\n", roofline::rows_json(table).dump(1));
  } else {
    fmt::print("A: {}, {}, {}\nB: {}, {}, {}\n\n", roofline::visible(request.a.string()), a.created,
               a.input.path, roofline::visible(request.b.string()), b.created, b.input.path);
    fmt::print("{}",
               roofline::terminal_text(without_empty_columns(table), roofline::colours_wanted()));
    for (const StudyRecord* study : {&a, &b})
      if (const std::string wrong = faults(*study, roofline::colours_wanted()); !wrong.empty())
        fmt::print("\n{}:\n{}", study == &a ? "A" : "B", wrong);
  }
  roofline::Within within{request.within.value_or(0)};
  for (const Comparison& c : comparisons)
    within.look_at(model_label(c.model, c.kind) + " " + c.variant,
                   c.factor_in_cycles.value_or(c.factor()));
  if (request.within && !request.json) fmt::print("\n{}", within.text("times"));
  const bool near = !request.within || within.passes();
  return near && !has_faults(a) && !has_faults(b) ? every_check_passed : something_failed;
}

}  // namespace

Command add_compare(CLI::App& program) {
  CLI::App* command = add_command(program, to_compare, "compare",
                                  "After a change: two studies, faster, slower or the same",
                                  {"gpp compare results/before results/after",
                                   "gpp compare --within 2 results/first results/second"});
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("A", request->a, "A results folder or study.json")->required();
  command->add_option("B", request->b, "Another")->required();
  command->add_flag("--force", request->force, "Compare terms/s though the inputs differ");
  command
      ->add_option("--within", request->within,
                   "Fail where a time differs by more than so many per cent, at an equal clock")
      ->check(CLI::PositiveNumber);
  add_json_option(*command, request->json);
  return {command, [request] { return compare_studies(*request); }};
}

}  // namespace gpp
