// Makes texts of unknown origin (records, file names, arguments) printable.
#pragma once

#include <string>
#include <string_view>

namespace roofline {

/// Escapes every character that has an effect instead of a shape: control characters (C0, DEL and
/// C1) and line ends as "\n", "\x1b" or "\u0085"; marks that change the writing direction or have
/// no width as "\u202e"; bytes that are not UTF-8 as "\xff". The result is UTF-8 on one line, safe
/// on a terminal, and unchanged by a second call.
std::string visible(std::string_view text);

/// Makes a text of several lines printable and keeps its line ends.
std::string visible_lines(std::string_view text);

}  // namespace roofline
