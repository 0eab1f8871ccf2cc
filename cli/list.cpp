// gpp list: lists every variant of every model, and whether it can run here.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/measure/measure.h"
#include "harness/teach/pages.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"

namespace gpp {
namespace {

/// The kinds of device here that can run this variant.
std::vector<std::string> runs_on(const Variant& variant) {
  std::vector<std::string> kinds;
  for (const Build& build : variant.builds)
    if (build.runtime->unavailable().empty()) kinds.push_back(build.kind);
  return kinds;
}

/// The places of a variant in published ladders: [{"ladder": "sc20", "step": "v7"}].
nlohmann::ordered_json ladders_json(const Kernel& kernel, const Variant& variant) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PublishedLadder& ladder : ladders_of(kernel))
    for (const LadderStep& step : ladder.steps)
      if (step.variant == variant.id)
        list.push_back({{"ladder", ladder.name}, {"step", step.label}});
  return list;
}

void print_json(const Kernel& kernel) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Variant& variant : kernel.catalog()) {
    const Choice choice = choose(variant);
    rows.push_back({{"variant", variant.id},
                    {"step", variant.step},
                    {"model", variant.model},
                    {"built", !variant.builds.empty()},
                    {"runnable", choice.build != nullptr},
                    {"runs_on", runs_on(variant)},
                    {"reason", choice.reason},
                    {"ladders", ladders_json(kernel, variant)}});
  }
  fmt::print("{}\n", rows.dump(1));
}

/// The reasons why the variant does not run here, or not on every kind of device.
std::set<std::string> reasons_of(const Variant& variant) {
  std::set<std::string> reasons;
  if (const Choice choice = choose(variant); choice.build == nullptr) reasons.insert(choice.reason);
  for (const Build& build : variant.builds) reasons.insert(build.runtime->unavailable());
  for (const NotBuilt& lacking : variant.not_built)
    reasons.insert(fmt::format("not built for the {}: {}", lacking.kind, lacking.reason));
  reasons.erase("");
  return reasons;
}

/// Each reason is printed once below the table, with a number that refers to it.
void print_table(const Kernel& kernel) {
  roofline::Table table =
      roofline::plain_table({{"model"}, {""}, {"step"}, {"built"}, {"runs on"}, {"source"}});
  std::map<std::string, std::size_t> numbers;
  std::string reasons;
  for (const Variant& variant : kernel.catalog()) {
    const std::vector<std::string> kinds = runs_on(variant);
    std::string where = kinds.empty() ? "-" : fmt::format("{}", fmt::join(kinds, ", "));
    for (const std::string& reason : reasons_of(variant)) {
      const auto [known, is_new] = numbers.emplace(reason, numbers.size() + 1);
      where += fmt::format(" [{}]", known->second);
      if (is_new) reasons += roofline::paragraph(fmt::format("[{}] {}", known->second, reason), 4);
    }
    table.add({variant.model, variant.id, variant.step, variant.builds.empty() ? "no" : "yes",
               where, variant.source.empty() ? "-" : variant.source});
  }
  const std::string ladders = ladder_list(kernel, 100);
  fmt::print("{}{}{}{}{}", roofline::terminal_text(table), reasons.empty() ? "" : "\n", reasons,
             ladders.empty() ? "" : "\n", ladders);
}

}  // namespace

Command add_list(CLI::App& program) {
  CLI::App* command = add_command(
      program, to_measure, "list", "To find a name: every variant, and why one does not run here",
      {"gpp list", "gpp list --json | jq -r '.[] | select(.runnable).variant'"});
  const auto json = std::make_shared<bool>(false);
  add_json_option(*command, *json);
  return {command, [json] {
            *json ? print_json(*kernels().front()) : print_table(*kernels().front());
            return every_check_passed;
          }};
}

}  // namespace gpp
