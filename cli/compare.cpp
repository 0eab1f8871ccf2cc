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
#include "roofline/base/text.h"
#include "roofline/statistics.h"

namespace gpp {
namespace {

struct CompareRequest {
  std::filesystem::path a, b;
  std::optional<double> within;  ///< largest allowed difference in per cent
  bool json = false;
};

roofline::Table table_of(const std::vector<Comparison>& comparisons, const std::string& work) {
  using roofline::TableCell;
  using Column = roofline::ColumnOf<Comparison>;
  using Text = std::string Comparison::*;
  using Number = std::optional<double> Comparison::*;
  const auto text = [](const char* name, const char* title, Text of) {
    return Column{{name, title}, [of](const Comparison& c) { return TableCell{c.*of}; }};
  };
  const auto number = [](const char* name, const std::string& title, Number of,
                         const char* format) {
    return Column{{name, title, "", "", roofline::Align::right}, [=](const Comparison& c) {
                    return roofline::cell::number(
                        c.*of, [format](double x) { return fmt::format(fmt::runtime(format), x); });
                  }};
  };
  const std::vector<Column> columns = {
      text("model", "model", &Comparison::model),
      text("kind", "on", &Comparison::kind),
      text("variant", "variant", &Comparison::variant),
      text("step", "step", &Comparison::step),
      number("terms_per_s_a", fmt::format("A {}/s", work), &Comparison::rate_a, "{:.3e}"),
      number("terms_per_s_b", fmt::format("B {}/s", work), &Comparison::rate_b, "{:.3e}"),
      number("factor", "B/A", &Comparison::factor, "{:.3f}"),
      number("factor_in_cycles", "in cycles", &Comparison::factor_in_cycles, "{:.3f}"),
      {{"verdict", "B is"}, [](const Comparison& c) { return TableCell{name_of(c.verdict)}; }},
      text("remark", "remark", &Comparison::remark)};
  roofline::Table table = roofline::table_of(columns, comparisons, {});
  for (std::size_t i = 0; i < comparisons.size(); ++i)
    table.rows[i].tone = comparisons[i].verdict == Verdict::faster   ? "good"
                         : comparisons[i].verdict == Verdict::slower ? "bad"
                                                                     : "";
  table.notes = {fmt::format(
      "in cycles: B/A at an equal clock, by which --within judges where it is known. faster, "
      "slower: the 95% intervals of the medians do not overlap, and the medians differ by more "
      "than {:.0f}%. disturbed: others took more than {:.0f}% of the processor.",
      100 * least_difference, 100 * disturbed_threshold)};
  return table;
}

int compare_studies(const CompareRequest& request) {
  const StudyRecord a = read_record(request.a), b = read_record(request.b);
  const std::vector<Comparison> comparisons = compare(a, b);
  const roofline::Table table = table_of(comparisons, kernel_of(a).work);
  const bool colours = roofline::colours_wanted();
  if (request.json) {
    fmt::print("{}\n", roofline::rows_json(table).dump(1));
  } else {
    fmt::print("A: {}, {}, {}\nB: {}, {}, {}\n\n{}", roofline::visible(request.a.string()),
               a.created, a.input.path, roofline::visible(request.b.string()), b.created,
               b.input.path, roofline::terminal_text(without_empty_columns(table), colours));
    for (const auto& [name, study] : {std::pair("A", &a), {"B", &b}})
      if (const std::string wrong = faults(*study, colours); !wrong.empty())
        fmt::print("\n{}:\n{}", name, wrong);
  }
  roofline::Within within{request.within.value_or(0)};
  for (const Comparison& c : comparisons)
    within.look_at(model_label(c.model, c.kind) + " " + c.variant,
                   c.factor_in_cycles ? c.factor_in_cycles : c.factor);
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
  command
      ->add_option("--within", request->within,
                   "Fail where a time differs by more than so many per cent, at an equal clock")
      ->check(CLI::PositiveNumber);
  add_json_option(*command, request->json);
  return {command, [request] { return compare_studies(*request); }};
}

}  // namespace gpp
