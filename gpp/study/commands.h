// Commands that only this kernel has.
#pragma once

#include "harness/kernel.h"

namespace gpp {

Command add_inspect(CLI::App& program);
Command add_generate(CLI::App& program);
Command add_scale(CLI::App& program);  // the command `gpp scale`, in gpp/scale/

}  // namespace gpp
