// The program's command line. Each command has a file: it adds itself, its options and its help to
// the program, and returns the action of a call.
#pragma once

#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// Runs the command the arguments name. Returns the exit status: 0 only where every check passed, 1
/// where something failed, 2 for bad usage or input and where standard output did not take what was
/// printed, 130 after an interruption.
int run_command_line(int argc, const char* const* argv);

Command add_list(CLI::App& program);
Command add_doctor(CLI::App& program);
Command add_run(CLI::App& program);
Command add_check(CLI::App& program);
Command add_lines(CLI::App& program);
Command add_study(CLI::App& program);
Command add_trajectory(CLI::App& program);
Command add_compare(CLI::App& program);
Command add_report(CLI::App& program);
Command add_new(CLI::App& program);
Command add_judge(CLI::App& program);
Command add_explain(CLI::App& program);
Command add_learn(CLI::App& program);

/// The commands of the program, in the order of each group of its help. Each program defines it.
std::vector<AddCommand> all_commands();

}  // namespace gpp
