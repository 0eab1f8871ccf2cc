// gpp ceilings: the roofs of this machine's devices, measured or from the cache.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "harness/measure/measure.h"
#include "harness/measure/options.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/ceilings/cache.h"
#include "roofline/json.h"

namespace gpp {
namespace {

using roofline::Ceiling;
using roofline::CeilingKind;
using roofline::Ceilings;

struct Request {
  std::string device;
  bool fresh = false;
  bool sweep = false;
  bool json = false;
};

std::string rate_of(const Ceiling& ceiling, double rate) {
  return roofline::describe_rate(rate, roofline::rate_unit(ceiling));
}

std::string table_of(const Ceilings& ceilings) {
  using enum roofline::Table::Align;
  roofline::Table table({{"ceiling", left},
                         {"measured", right},
                         {"theoretical", right},
                         {"ratio", right},
                         {"clock", right}});
  for (const Ceiling& ceiling : ceilings.list) {
    const bool known = ceiling.theoretical.has_value();
    table.add({ceiling.label, rate_of(ceiling, ceiling.measured),
               known ? rate_of(ceiling, *ceiling.theoretical) : "-",
               known ? fmt::format("{:.1f}%", 100 * ceiling.measured / *ceiling.theoretical) : "-",
               ceiling.clock_mhz > 0 ? fmt::format("{:.0f} MHz", ceiling.clock_mhz) : "-"});
  }
  return table.text();
}

/// Every working set tried. The level is that whose plateau, or the fall to it, a point belongs to.
std::string sweep_of(const Ceilings& ceilings) {
  using enum roofline::Table::Align;
  roofline::Table table({{"working set", right}, {"rate", right}, {"level", left}});
  for (const Ceiling& ceiling : ceilings.list)
    for (const roofline::SweepPoint& point : ceiling.sweep)
      table.add({roofline::describe_working_set(point.bytes), rate_of(ceiling, point.rate),
                 ceiling.label});
  return table.text();
}

void print_device(const roofline::KnownCeilings& known, const Request& request) {
  const Ceilings& ceilings = known.ceilings;
  const std::string driver = ceilings.driver.empty() ? "" : ", " + ceilings.driver;
  fmt::print("{}{}\n\n{}", ceilings.device, driver, table_of(ceilings));
  for (const roofline::Missing& missing : ceilings.missing)
    fmt::print("{}\n",
               roofline::wrapped(fmt::format("No {}: {}.", missing.name, missing.reason), 100, 2));
  if (request.sweep) fmt::print("\n{}", sweep_of(ceilings));
  if (known.measured)
    fmt::print("\nMeasured in {}.", roofline::describe_seconds(ceilings.seconds));
  else
    fmt::print("\nMeasured at {}; --fresh measures again.", ceilings.created);
  if (known.measured && known.not_kept.empty()) fmt::print(" Kept in {}", known.file.string());
  if (!known.not_kept.empty()) fmt::print(" Not kept: {}", known.not_kept);
  fmt::print("\n\n");
}

/// Of the kind asked for, else of both.
std::vector<std::string> kinds_of(const Request& request) {
  if (!request.device.empty()) return {request.device};
  return {"gpu", "host"};
}

roofline::KnownCeilings ceilings_with_progress(const std::string& kind, bool fresh) {
  roofline::ProgressLine line;
  return roofline::known_ceilings(*roofline::find_benchmarks(kind), roofline::cache_folder(), fresh,
                                  [&](std::string_view what, double share) {
                                    line.show(fmt::format("{}: {}", kind, what), share);
                                  });
}

int show(const Request& request) {
  std::vector<Ceilings> all;
  for (const std::string& kind : kinds_of(request)) {
    const std::string reason = roofline::ceilings_unavailable(kind);
    if (!reason.empty() && !request.device.empty())
      throw std::runtime_error(fmt::format("no ceilings of the {}: {}", kind, reason));
    if (!reason.empty()) {
      if (!request.json)
        fmt::print("{}\n\n", roofline::wrapped(fmt::format("No {}: {}", kind, reason), 100, 2));
      continue;
    }
    const roofline::KnownCeilings known = ceilings_with_progress(kind, request.fresh);
    if (!request.json) print_device(known, request);
    all.push_back(known.ceilings);
  }
  if (request.json) fmt::print("{}\n", roofline::ceilings_json(all).dump(1));
  return every_check_passed;
}

}  // namespace

Command add_ceilings(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "ceilings", "What this machine's arithmetic and memory can do at most, measured");
  const auto request = std::make_shared<Request>();
  command->add_option("--device", request->device, "host or gpu (default: both)")
      ->check(CLI::IsMember({"host", "gpu"}));
  command->add_flag("--fresh", request->fresh, "Measure again, even if this device was before");
  command->add_flag("--sweep", request->sweep, "Print the rate at every working set too");
  add_json_option(*command, request->json);
  command->footer(
      examples({"gpp ceilings", "gpp ceilings --device host --fresh --sweep",
                "gpp ceilings --json | jq '.host.list[] | {name, measured, theoretical}'"}));
  return {command, [request] { return show(*request); }};
}

}  // namespace gpp
