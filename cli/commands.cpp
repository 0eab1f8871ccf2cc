#include "cli/commands.h"

namespace gpp {

std::vector<AddCommand> all_commands() {
  std::vector<AddCommand> commands = {
      add_learn, add_explain,    add_doctor,  add_list,   add_run,   add_check, add_study,
      add_lines, add_trajectory, add_compare, add_report, add_judge, add_new};
  for (const Kernel* kernel : kernels())
    commands.insert(commands.end(), kernel->commands.begin(), kernel->commands.end());
  return commands;
}

}  // namespace gpp
