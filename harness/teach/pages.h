// `gpp explain` of names that are no variant's: the kernel itself, words of the field, and
// published ladders with their steps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/kernel.h"

namespace gpp {

/// The name that `gpp explain` takes for the page of a kernel.
inline constexpr std::string_view page_name = "kernel";

/// The names that it takes for the page on the roofline, and for the list of all words.
inline constexpr std::string_view roofline_name = "roofline", words_name = "words";

/// The page that bears the name, or the meaning where it is a word of the glossary; empty where it
/// is neither, or a variant's id or step. Throws InputError where the kernel has no page.
std::optional<std::string> page_or_word(const Kernel& kernel, std::string_view name,
                                        std::size_t width);

/// The ladder of that name for people; empty where the kernel has none, or a variant is called so.
std::optional<std::string> ladder_page(const Kernel& kernel, std::string_view name,
                                       std::size_t width, bool colours);

/// A line for each ladder of the kernel: its name, its number of steps, what it is. Empty where
/// there are none.
std::string ladder_list(const Kernel& kernel, std::size_t width);

}  // namespace gpp
