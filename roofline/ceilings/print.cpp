#include "roofline/ceilings/print.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/ceilings/cache.h"
#include "roofline/json.h"
#include "roofline/view/roofs_table.h"

namespace roofline {
namespace {

std::string table_of(const Ceilings& ceilings) {
  ViewTable table = roofs_table(ceilings, false);
  table.columns.front().title = "ceiling";
  return terminal_text(table);
}

/// A table of all working sets, with the level whose plateau, or slope before it, has the point.
std::string sweep_of(const Ceilings& ceilings) {
  using enum Table::Align;
  Table table({{"working set", right}, {"rate", right}, {"level", left}});
  for (const Ceiling& ceiling : ceilings.list)
    for (const SweepPoint& point : ceiling.sweep)
      table.add({describe_working_set(point.bytes), describe_rate(point.rate, rate_unit(ceiling)),
                 ceiling.label});
  return table.text();
}

void print_device(const KnownCeilings& known, const CeilingsRequest& request) {
  const Ceilings& ceilings = known.ceilings;
  const std::string driver = ceilings.driver.empty() ? "" : ", " + ceilings.driver;
  fmt::print("{}{}\n\n{}", ceilings.device, driver, table_of(ceilings));
  if (ceilings.launch)
    fmt::print("\nLaunch of an empty kernel: {}.\n", describe_launch(*ceilings.launch));
  for (const Missing& missing : ceilings.missing)
    fmt::print("{}\n", wrapped(fmt::format("No {}: {}.", missing.name, missing.reason), 100, 2));
  if (request.sweep) fmt::print("\n{}", sweep_of(ceilings));
  if (known.measured)
    fmt::print("\nMeasured in {}.", describe_seconds(ceilings.seconds));
  else
    fmt::print("\nMeasured at {}; --fresh measures again.", ceilings.created);
  if (known.measured && known.not_kept.empty()) fmt::print(" Kept in {}", known.file.string());
  if (!known.not_kept.empty()) fmt::print(" Not kept: {}", known.not_kept);
  fmt::print("\n\n");
}

KnownCeilings ceilings_with_progress(const std::string& kind, bool fresh) {
  ProgressLine line;
  return known_ceilings(*find_benchmarks(kind), cache_folder(), fresh,
                        [&](std::string_view what, double share) {
                          line.show(fmt::format("{}: {}", kind, what), share);
                        });
}

}  // namespace

std::string describe_launch(const LaunchCost& launch) {
  return fmt::format("{}, half of the runs {} to {}", describe_seconds(launch.seconds),
                     describe_seconds(launch.low), describe_seconds(launch.high));
}

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
    const KnownCeilings known = ceilings_with_progress(kind, request.fresh);
    if (!request.json) print_device(known, request);
    all.push_back(known.ceilings);
  }
  if (request.json) fmt::print("{}\n", ceilings_json(all).dump(1));
}

}  // namespace roofline
