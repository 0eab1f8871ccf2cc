// Markdown for a terminal: the little of it that lessons and the page of a kernel use
// (harness/teach/lessons.h, harness/kernel.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpp {

/// Paragraphs and list items, broken at words so that lines end before column `width`; without the
/// signs for strong text, code and links. A heading is underlined, a table has aligned columns
/// whose widest is broken where the line is too long, ``` code ``` stays as it is, a picture
/// becomes the line that says where it lies. Ends with a line break.
std::string markdown_text(std::string_view markdown, std::size_t width);

/// The signs alone taken away, on one line.
std::string without_signs(std::string_view markdown);

}  // namespace gpp
