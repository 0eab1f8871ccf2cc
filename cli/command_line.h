// The program's command line: which commands there are, and what becomes of their errors.
#pragma once

namespace gpp {

/// Runs the command the arguments name. Returns the exit status: 0 only where every check passed, 1
/// where something failed, 2 for bad usage or input, 130 after an interruption.
int run_command_line(int argc, const char* const* argv);

}  // namespace gpp
