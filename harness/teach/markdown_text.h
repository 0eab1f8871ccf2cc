// The little of Markdown that lessons, the glossary and the page of a kernel use, for a terminal
// and for a page (harness/teach/lessons.h, harness/kernel.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpp {

/// Paragraphs and list items, broken at words so that lines end before column `width`; without the
/// signs for strong text, code and links. A heading is underlined, a table has aligned columns
/// whose widest is broken where the line is too long, ``` code ``` stays as it is, a picture
/// becomes the line that says where it lies. `folder` is that of the text. Ends with a line break.
std::string markdown_text(std::string_view markdown, std::size_t width,
                          const std::filesystem::path& folder = {});

/// The text as HTML: <p>, <ul>, <ol>, <pre>, <code>, <strong>, headings, tables, and <abbr> for a
/// link to the glossary, whose title is the word's meaning. Everything else is escaped, so the text
/// can bring no other tag. A picture becomes a paragraph of what it shows.
std::string markdown_html(std::string_view markdown);

/// The text without its comments, which say what tables hold (scripts/tables).
std::string without_comments(std::string_view text);

/// The text on one line, without the signs for strong text, code and links.
std::string without_signs(std::string_view markdown);

}  // namespace gpp
