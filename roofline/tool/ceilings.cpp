// roofline ceilings: the roofs of this machine's devices, measured or from the cache.
#include <CLI/CLI.hpp>

#include <memory>

#include "roofline/ceilings/print.h"
#include "roofline/tool/commands.h"

namespace roofline {

ToolCommand add_ceilings(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "ceilings", "What this machine's arithmetic and memory can do at most, measured");
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
