// The texts of `gpp explain` and `gpp learn`: for a variant, the kernel itself, the roofline, words
// of the glossary, and published ladders.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "harness/kernel.h"

namespace gpp {

struct ExplanationStyle {
  std::size_t width = 100;
  bool colours = false;
};

/// What to read before a prediction: the idea, the changes and the question of the step's lesson,
/// for the device on which it runs here; for a variant of one's own, the comment at the top of its
/// source. No part of it tells the outcome.
std::string before_the_answer(const Kernel& kernel, const Variant& variant,
                              const ExplanationStyle& style);

/// The whole lesson, for the kind of device on which the variant runs here, or for a GPU if it
/// cannot (others run everywhere), with the differences of the sources, and the command to run it.
std::string explanation_of(const Kernel& kernel, const Variant& variant,
                           const ExplanationStyle& style);

/// The page called "kernel" or "roofline", the ladder or the glossary entry of that name; empty if
/// it is none of them, or is a variant's id or step. Throws InputError if the kernel has no page.
std::optional<std::string> page_called(const Kernel& kernel, std::string_view name,
                                       std::size_t width);

/// One line per ladder of the kernel: its name, number of steps and description. Empty without
/// ladders.
std::string ladder_list(const Kernel& kernel, std::size_t width);

}  // namespace gpp
