// The subset of Markdown that lessons, the glossary and a kernel's page use, for a terminal and for
// HTML (harness/teach/lessons.h, harness/kernel.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gpp {

/// Formats the text for a terminal without markup. Paragraphs and list items are broken at words to
/// end before column `width`. Headings are underlined, tables aligned with their widest column
/// broken if needed, ``` code ``` is unchanged, and a picture becomes a line with its path.
/// `folder` is the text's folder. Ends with a line break.
std::string markdown_text(std::string_view markdown, std::size_t width,
                          const std::filesystem::path& folder = {});

/// A lesson's text as HTML: <p>, <ul>, <ol>, <pre>, <code>, <strong>, tables, and <abbr> for a link
/// to the glossary, with the word's meaning as title. All other characters are escaped, so the text
/// cannot add other tags.
std::string markdown_html(std::string_view markdown);

/// The text without its comments, which describe tables for scripts/tables.
std::string without_comments(std::string_view text);

/// The text on one line, without markup for strong text, code and links.
std::string without_signs(std::string markdown);

}  // namespace gpp
