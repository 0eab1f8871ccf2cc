// The command line of every program. Each command has a file. Its function adds the command with
// its options and help to the program and returns the action to run.
#pragma once

#include <string>
#include <vector>

#include "harness/program/selection.h"

namespace gpp {

/// The main function of a program that studies this kernel. It also acts as the program's workers
/// and as the referee's player. The exit status is 0 if every check passed, 1 if something failed,
/// 2 for wrong usage or input or a failed write to standard output, and 130 after an interruption.
int study_main(const Kernel& kernel, int argc, const char* const* argv);

/// Whether the variant can run here; if not, says why on standard error.
bool can_run(const Choice& choice);

// ---- Plug-ins: variants that the program does not contain, and steps edited since it was built

/// Tells whether the name means a plug-in's file or folder. A folder needs no slash unless a
/// variant has the same name.
bool names_plugin(const std::string& name, const Kernel& kernel);

/// Compiles, loads and registers each name that is a plug-in's file or folder, and replaces it by
/// the plug-in's id; then the wanted variants of the source tree that the program does not contain,
/// and the wanted steps whose file, or a header beside it, is newer than the program. Call before
/// variants are chosen. Throws InputError; std::runtime_error also if --no-build forbids it, or if
/// a header is newer that more than variants include.
void adopt_plugins_and_edits(std::vector<std::string>& names, const Wanted& wanted, bool no_build);
void adopt_plugin_and_edits(std::string& name, const Wanted& wanted, bool no_build);

// ---- The commands

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
