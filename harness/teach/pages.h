// `gpp explain` for names other than variants: the kernel itself, glossary words, and published
// ladders with their steps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/kernel.h"

namespace gpp {

/// The argument of `gpp explain` for a kernel's page.
inline constexpr std::string_view page_name = "kernel";

/// The argument for the page on the roofline.
inline constexpr std::string_view roofline_name = "roofline";

/// The page with that name, or the glossary entry; empty if it is neither, or is a variant's id or
/// step. Throws InputError if the kernel has no page.
std::optional<std::string> page_or_word(const Kernel& kernel, std::string_view name,
                                        std::size_t width);

/// The ladder's description; empty for a variant's name or an unknown ladder.
std::optional<std::string> ladder_page(const Kernel& kernel, std::string_view name,
                                       std::size_t width, bool colours);

/// One line per ladder of the kernel: its name, number of steps and description. Empty without
/// ladders.
std::string ladder_list(const Kernel& kernel, std::size_t width);

}  // namespace gpp
