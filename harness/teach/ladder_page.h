// A published ladder, told: its steps, what was published of each, and where to look next.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/kernel.h"

namespace gpp {

/// The ladder of that name for people; empty where the kernel has none, or a variant is called so.
std::optional<std::string> ladder_page(const Kernel& kernel, std::string_view name,
                                       std::size_t width, bool colours);

/// A line for each ladder of the kernel: its name, its number of steps, what it is. Empty where
/// there are none.
std::string ladder_list(const Kernel& kernel, std::size_t width);

}  // namespace gpp
