// For build/gpp-first (cmake/First.cmake), which has no command of the kernel's own.
#include "gpp/study/commands.h"

namespace gpp {

Command add_inspect(CLI::App&) { return {}; }
Command add_generate(CLI::App&) { return {}; }
// {v14
Command add_scale(CLI::App&) { return {}; }
// v14}

}  // namespace gpp
