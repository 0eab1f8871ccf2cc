// In the place of `gpp scale` where it is left out of the build: whoever asks for it, or for its
// help, has it built.

#include <CLI/CLI.hpp>

#include "gpp/study/commands.h"
#include "harness/measure/options.h"

namespace gpp {

Command add_scale(CLI::App& program) {
  CLI::App* command = program.add_subcommand("scale", purpose_of_scale)->group(to_measure);
  command->set_help_flag();
  command->prefix_command();  // every option is scale's own business
  return {command, []() -> int { throw AskedForLeftOut("gpp scale"); }};
}

}  // namespace gpp
