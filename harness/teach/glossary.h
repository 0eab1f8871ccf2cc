// The glossary of the field: docs/glossary.md, shared by `gpp explain` and the report.
//
// "### occupancy" starts an entry; the text below is its meaning. A paragraph "Also: SM, block."
// lists its synonyms. A text links a word where it uses it first:
// [occupancy](../docs/glossary.md#occupancy).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

struct Word {
  std::string name;                        ///< "multiprocessor"
  std::string anchor;                      ///< anchor of its heading: "multiprocessor"
  std::vector<std::string> synonyms = {};  ///< other names: {"SM"}
  std::string meaning = {};                ///< Markdown without the paragraph "Also:"
};

/// The entries of a glossary in Markdown, in order.
std::vector<Word> parse_glossary(std::string_view markdown);

/// All entries of the project's glossary.
const std::vector<Word>& glossary();

/// Finds a word by name, synonym or anchor, ignoring case; nullptr if there is none.
const Word* find_word(std::string_view name);

/// A link to a glossary entry.
struct WordLink {
  std::string label;   ///< text of the link: "warps"
  std::string anchor;  ///< target of the link: "warp"
};

/// The links to glossary words in a text, in order.
std::vector<WordLink> word_links(std::string_view markdown);

/// The entries that a text links to, each once, for a terminal; "" if there are none. Links without
/// a target are ignored; a test finds them.
std::string words_text(std::string_view markdown, std::size_t width);

/// A single entry: its name, synonyms and meaning.
std::string word_text(const Word& word, std::size_t width);

}  // namespace gpp
