// The subset of Markdown that lessons, the glossary and a kernel's page use, as plain text; and the
// glossary itself, docs/glossary.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

/// The text for a terminal: paragraphs and list items without signs, broken at words to end before
/// column `width`; headings, tables, code and pictures as they are written. Ends with a line break.
std::string markdown_text(std::string_view markdown, std::size_t width);

/// The text without its comments, which describe tables for scripts/tables.
std::string without_comments(std::string_view text);

/// An entry of the glossary. "### occupancy" starts it; the text below is its meaning. A paragraph
/// "Also: SM, block." has its other names. A text links a word where it uses it first:
/// [occupancy](../docs/glossary.md#occupancy).
struct Word {
  std::vector<std::string> names;  ///< that of the heading first: {"multiprocessor", "SM"}
  std::string meaning = {};        ///< Markdown
};

std::vector<Word> parse_glossary(std::string_view markdown);

/// All entries of docs/glossary.md.
const std::vector<Word>& glossary();

/// Finds a word by any of its names, ignoring case; nullptr if there is none.
const Word* find_word(std::string_view name);

}  // namespace gpp
