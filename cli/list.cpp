// gpp list: lists every variant of every model, and whether it can run here.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/commands.h"
#include "harness/command/options.h"
#include "harness/program/interrupt.h"
#include "harness/program/selection.h"
#include "harness/teach/explanation.h"
#include "roofline/base/table.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

/// The kinds of device here that can run this variant.
std::vector<std::string> runs_on(const Variant& variant) {
  std::vector<std::string> kinds;
  for (const Build& build : variant.builds)
    if (build.runtime->unavailable().empty()) kinds.push_back(build.kind);
  return kinds;
}

void print_json(const Kernel& kernel) {
  Json rows = Json::array();
  for (const Variant& variant : kernel.catalog()) {
    const Choice choice = choose(variant);
    Json ladders = Json::array();
    for (const PublishedLadder& ladder : ladders_of(kernel))
      for (const LadderStep& step : ladder.steps)
        if (step.variant == variant.id)
          ladders.push_back({{"ladder", ladder.name}, {"step", step.label}});
    rows.push_back({{"variant", variant.id},
                    {"step", variant.step},
                    {"model", variant.model},
                    {"built", !variant.builds.empty()},
                    {"runnable", choice.build != nullptr},
                    {"runs_on", runs_on(variant)},
                    {"reason", choice.reason},
                    {"ladders", ladders}});
  }
  fmt::print("{}\n", rows.dump(1));
}

/// Each reason is printed once below the table, with a number that refers to it.
void print_table(const Kernel& kernel) {
  roofline::Table table =
      roofline::plain_table({{"model"}, {""}, {"step"}, {"built"}, {"runs on"}, {"source"}});
  std::vector<std::string> reasons;
  for (const Variant& variant : kernel.catalog()) {
    std::set<std::string> own = {choose(variant).reason};
    for (const Build& build : variant.builds) own.insert(build.runtime->unavailable());
    for (const NotBuilt& lacking : variant.not_built)
      own.insert(fmt::format("not built for the {}: {}", lacking.kind, lacking.reason));
    own.erase("");
    const std::vector<std::string> kinds = runs_on(variant);
    std::string where = kinds.empty() ? "-" : fmt::format("{}", fmt::join(kinds, ", "));
    for (const std::string& reason : own) {
      auto known = std::ranges::find(reasons, reason);
      if (known == reasons.end()) known = reasons.insert(known, reason);
      where += fmt::format(" [{}]", known - reasons.begin() + 1);
    }
    table.add({variant.model, variant.id, variant.step, variant.builds.empty() ? "no" : "yes",
               where, variant.source.empty() ? "-" : variant.source});
  }
  fmt::print("{}\n", roofline::terminal_text(table));
  for (std::size_t i = 0; i < reasons.size(); ++i)
    fmt::print("{}", roofline::paragraph(fmt::format("[{}] {}", i + 1, reasons[i]), 4));
  fmt::print("{}{}", reasons.empty() ? "" : "\n", ladder_list(kernel, 100));
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
