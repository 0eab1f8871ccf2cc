// Texts of unknown origin (records, names of files, arguments), made fit to be shown.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

/// The text with everything written out that would act instead of being seen: control characters
/// (C0, DEL and C1) and line ends as "\n", "\x1b" or "\u0085"; marks that turn the direction of
/// writing or have no width as "\u202e"; bytes that are not UTF-8 as "\xff". The result is UTF-8,
/// on one line, and safe on a terminal. Shown twice it stays as it is.
std::string visible(std::string_view text);

/// Makes a text of several lines visible and keeps their ends.
std::string visible_lines(std::string_view text);

}  // namespace roofline
