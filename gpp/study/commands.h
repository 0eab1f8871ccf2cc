// Commands that only this kernel has.
#pragma once

#include "harness/kernel.h"

namespace gpp {

Command add_inspect(CLI::App& program);
Command add_generate(CLI::App& program);
Command add_scale(CLI::App& program);  // the command `gpp scale`, in gpp/scale/
inline constexpr const char* purpose_of_scale =
    "When one GPU is too small: the whole calculation on many ranks";

}  // namespace gpp
