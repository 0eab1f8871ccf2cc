// For build/gpp-first (cmake/First.cmake), which has no command of the kernel's own.
#include "gpp/study/commands.h"

namespace gpp {

Command add_inspect(CLI::App&) { return {}; }
Command add_generate(CLI::App&) { return {}; }
Command add_scale(CLI::App&) { return {}; }

}  // namespace gpp
