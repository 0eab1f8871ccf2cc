// `roofline ceilings`: prints the roofs of this machine for people and scripts.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/ceilings/cache.h"
#include "roofline/json.h"
#include "roofline/tool/commands.h"
#include "roofline/view/roofs_table.h"

namespace roofline {
namespace {

struct CeilingsRequest {
  std::string device;  ///< "host" or "gpu"; empty: both
  bool fresh = false;  ///< measure again, ignoring stored roofs
  bool sweep = false;  ///< also print the rate for every working set
  bool json = false;
};

/// A table of all working sets, with the level that serves them, or begins to fail them.
std::string sweep_of(const Ceilings& ceilings) {
  using enum Align;
  Table table = plain_table({{"working set", right}, {"rate", right}, {"level", left}});
  for (const Ceiling& ceiling : ceilings.list)
    for (const SweepPoint& point : ceiling.sweep)
      table.add({describe_working_set(point.bytes), describe_rate(point.rate, rate_unit(ceiling)),
                 ceiling.label});
  return terminal_text(table);
}

void print_device(const Ceilings& ceilings, bool sweep) {
  const std::string driver = ceilings.driver.empty() ? "" : ", " + ceilings.driver;
  Table table = roofs_table(ceilings, false);
  table.columns.front().title = "ceiling";
  fmt::print("{}{}\n\n{}", ceilings.device, driver, terminal_text(table));
  if (ceilings.launch)
    fmt::print("\nLaunch of an empty kernel: {}, half of the runs {} to {}.\n",
               describe_seconds(ceilings.launch->seconds), describe_seconds(ceilings.launch->low),
               describe_seconds(ceilings.launch->high));
  for (const Missing& missing : ceilings.missing)
    fmt::print("{}\n", wrapped(fmt::format("No {}: {}.", missing.name, missing.reason), 100, 2));
  if (sweep) fmt::print("\n{}", sweep_of(ceilings));
  fmt::print("\nMeasured at {}, in {}; --fresh measures again.\n\n", ceilings.created,
             describe_seconds(ceilings.seconds));
}

/// Without --device, a device that has no roofs is named; else it is an error.
void print_ceilings(const CeilingsRequest& request) {
  std::vector<Ceilings> all;
  std::vector<std::string> kinds = {"gpu", "host"};
  if (!request.device.empty()) kinds = {request.device};
  for (const std::string& kind : kinds) {
    const std::string reason = ceilings_unavailable(kind);
    if (!reason.empty() && !request.device.empty())
      throw std::runtime_error(fmt::format("no ceilings of the {}: {}", kind, reason));
    if (!reason.empty()) {
      if (!request.json)
        fmt::print("{}\n\n", wrapped(fmt::format("No {}: {}", kind, reason), 100, 2));
      continue;
    }
    {
      ProgressLine line;
      all.push_back(ceilings_of(kind, request.fresh, [&](std::string_view what, double share) {
        line.show(fmt::format("{}: {}", kind, what), share);
      }));
    }
    if (!request.json) print_device(all.back(), request.sweep);
  }
  if (request.json) fmt::print("{}\n", ceilings_json(all).dump(1));
}

}  // namespace

ToolCommand add_ceilings(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "ceilings", "For the roofs alone: the most that arithmetic and memory can do here");
  const auto request = std::make_shared<CeilingsRequest>();
  command->add_option("--device", request->device, "host or gpu (default: both)")
      ->check(CLI::IsMember({"host", "gpu"}));
  command->add_flag("--fresh", request->fresh, "Measure again, even if this device was before");
  command->add_flag("--sweep", request->sweep, "Print the rate at every working set too");
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  return {command, [request] {
            print_ceilings(*request);
            return 0;
          }};
}

}  // namespace roofline
