// gpp compare: two studies, variant by variant.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/record/comparison.h"
#include "harness/view/summary.h"
#include "roofline/base/json_place.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

struct CompareRequest {
  std::filesystem::path a, b;
  bool force = false;
  std::optional<double> within;  ///< largest allowed difference in per cent
  bool json = false;
};

void print_json(const std::vector<Comparison>& comparisons) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Comparison& comparison : comparisons)
    rows.push_back({{"model", comparison.model},
                    {"kind", comparison.kind},
                    {"variant", comparison.variant},
                    {"step", comparison.step},
                    {"verdict", name_of(comparison.verdict)},
                    {"terms_per_s_a", roofline::json_positive(comparison.rate_a)},
                    {"terms_per_s_b", roofline::json_positive(comparison.rate_b)},
                    {"factor", roofline::json_positive(comparison.factor())},
                    {"factor_in_cycles", roofline::json_number(comparison.factor_in_cycles)},
                    {"remark", comparison.remark}});
  fmt::print("{}\n", rows.dump(1));
}

void print_text(const std::vector<Comparison>& comparisons, const std::string& work) {
  using enum roofline::Align;
  roofline::Table table = roofline::plain_table({{"model", left},
                                                 {"", left},
                                                 {"step", left},
                                                 {fmt::format("A {}/s", work), right},
                                                 {fmt::format("B {}/s", work), right},
                                                 {"B/A", right},
                                                 {"in cycles", right},
                                                 {"B is", left}});
  const auto rate = [](double value) { return value > 0 ? fmt::format("{:.3e}", value) : "-"; };
  const auto ratio = [](double value) { return value > 0 ? fmt::format("{:.3f}", value) : "-"; };
  for (const Comparison& c : comparisons)
    table.add({model_label(c.model, c.kind), c.variant, c.step, rate(c.rate_a), rate(c.rate_b),
               ratio(c.factor()), ratio(c.factor_in_cycles.value_or(0)),
               c.remark.empty() ? name_of(c.verdict)
                                : fmt::format("{}: {}", name_of(c.verdict), c.remark)},
              c.verdict == Verdict::faster   ? "good"
              : c.verdict == Verdict::slower ? "bad"
                                             : "");
  fmt::print("{}", roofline::terminal_text(table, roofline::colours_wanted()));
  fmt::print(
      "\nin cycles: B/A at an equal clock.\nfaster, slower: the 95% intervals of the medians do "
      "not overlap, and the medians differ by more than {:.0f}%.\n",
      100 * least_difference);
  if (std::ranges::any_of(comparisons,
                          [](const Comparison& c) { return c.remark.starts_with("disturbed"); }))
    fmt::print(
        "disturbed: others took more than {:.0f}% of the processor; run again on an idle "
        "machine.\n",
        100 * disturbed_threshold);
}

/// Prints the steps that differ by more than --within, or that none does; returns if none does.
bool all_within(const std::vector<Comparison>& comparisons, double percent, bool quiet) {
  std::size_t timed = 0;
  std::vector<std::string> beyond;
  for (const Comparison& c : comparisons) {
    const std::optional<double> difference = c.difference();
    timed += difference ? 1 : 0;
    if (difference && 100 * *difference > percent)
      beyond.push_back(fmt::format("{} {} by {:.1f}%", model_label(c.model, c.kind), c.variant,
                                   100 * *difference));
  }
  if (!quiet)
    fmt::print("\n{} of {} times are within {}%, at an equal clock where it is known{}{}\n",
               timed - beyond.size(), timed, percent,
               beyond.empty() ? "" : "; beyond it: ", fmt::join(beyond, ", "));
  return timed > 0 && beyond.empty();
}

int compare_studies(const CompareRequest& request) {
  const StudyRecord a = read_record(request.a);
  const StudyRecord b = read_record(request.b);
  require_comparable(a, b, request.force);
  const std::vector<Comparison> comparisons = compare(a, b);
  if (request.json) {
    print_json(comparisons);
  } else {
    fmt::print("A: {}, {}, {}\nB: {}, {}, {}\n\n", roofline::visible(request.a.string()), a.created,
               a.input.path, roofline::visible(request.b.string()), b.created, b.input.path);
    print_text(comparisons, kernel_of(a).work);
    for (const StudyRecord* study : {&a, &b})
      if (const std::string wrong = faults(*study, roofline::colours_wanted()); !wrong.empty())
        fmt::print("\n{}:\n{}", study == &a ? "A" : "B", wrong);
  }
  const bool near = !request.within || all_within(comparisons, *request.within, request.json);
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
