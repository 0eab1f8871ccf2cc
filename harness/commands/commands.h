// One file per command. Each adds itself, its options and its help to the program, and returns what
// to do when it is called.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <utility>
#include <vector>

namespace gpp {

/// Does the command; returns the exit status.
using Action = std::function<int()>;
using Command = std::pair<const CLI::App*, Action>;
using AddCommand = Command (*)(CLI::App& program);

Command add_list(CLI::App& program);
Command add_doctor(CLI::App& program);
Command add_inspect(CLI::App& program);
Command add_generate(CLI::App& program);
Command add_run(CLI::App& program);
Command add_study(CLI::App& program);
Command add_ceilings(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_report(CLI::App& program);
Command add_new(CLI::App& program);
Command add_explain(CLI::App& program);

/// All of them, in the order of the program's help.
inline const std::vector<AddCommand>& all_commands() {
  static const std::vector<AddCommand> commands = {
      add_list,     add_doctor,  add_inspect, add_generate, add_run, add_study,
      add_ceilings, add_compare, add_report,  add_explain,  add_new};
  return commands;
}

}  // namespace gpp
