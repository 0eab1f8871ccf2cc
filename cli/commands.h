// The command line of every program. Each command has a file. Its function adds the command with
// its options and help to the program and returns the action to run.
#pragma once

#include <vector>

#include "harness/program/selection.h"

namespace gpp {

/// The main function of a program that studies this kernel. It also acts as the program's workers
/// and as the referee's player. The exit status is 0 if every check passed, 1 if something failed,
/// 2 for wrong usage or input or a failed write to standard output, and 130 after an interruption.
int study_main(const Kernel& kernel, int argc, const char* const* argv);

/// Whether the variant can run here; if not, says why on standard error.
bool can_run(const Choice& choice);

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

}  // namespace gpp
