// gpp ceilings: the roofs of this machine's devices, measured or from the cache.
#include "roofline/ceilings/print.h"

#include <CLI/CLI.hpp>

#include <memory>

#include "cli/commands.h"
#include "harness/measure/options.h"
#include "harness/program/exit_status.h"

namespace gpp {

Command add_ceilings(CLI::App& program) {
  CLI::App* command =
      program
          .add_subcommand("ceilings",
                          "For the roofs alone: the most that arithmetic and memory can do here")
          ->group(to_measure);
  const auto request = std::make_shared<roofline::CeilingsRequest>();
  command->add_option("--device", request->device, "host or gpu (default: both)")
      ->check(CLI::IsMember({"host", "gpu"}));
  command->add_flag("--fresh", request->fresh, "Measure again, even if this device was before");
  command->add_flag("--sweep", request->sweep, "Print the rate at every working set too");
  add_json_option(*command, request->json);
  command->footer(
      examples({"gpp ceilings", "gpp ceilings --device host --fresh --sweep",
                "gpp ceilings --json | jq '.host.list[] | {name, measured, theoretical}'"}));
  return {command, [request] {
            roofline::print_ceilings(*request);
            return every_check_passed;
          }};
}

}  // namespace gpp
