// build/gpp-first (cmake/First.cmake) has no commands of the kernel; this file replaces them.
#include "gpp/study/commands.h"

namespace gpp {

Command add_inspect(CLI::App&) { return {}; }
Command add_generate(CLI::App&) { return {}; }
Command add_scale(CLI::App&) { return {}; }

}  // namespace gpp
