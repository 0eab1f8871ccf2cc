// `gpp explain` for names other than variants: the kernel itself, the roofline, glossary words, and
// published ladders with their steps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/kernel.h"

namespace gpp {

/// The page called "kernel" or "roofline", the ladder or the glossary entry of that name; empty if
/// it is none of them, or is a variant's id or step. Throws InputError if the kernel has no page.
std::optional<std::string> page_called(const Kernel& kernel, std::string_view name,
                                       std::size_t width, bool colours);

/// One line per ladder of the kernel: its name, number of steps and description. Empty without
/// ladders.
std::string ladder_list(const Kernel& kernel, std::size_t width);

}  // namespace gpp
