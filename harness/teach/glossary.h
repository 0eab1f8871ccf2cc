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
  std::string name;                   ///< "multiprocessor"
  std::string anchor;                 ///< anchor of its heading: "multiprocessor"
  std::vector<std::string> synonyms;  ///< other names: {"SM"}
  std::string meaning;                ///< Markdown without the paragraph "Also:"
  std::string part = {};              ///< heading above the entry: "Memory"
};

/// The entries of a glossary in Markdown, in order. Throws std::runtime_error, which names
/// `source`, for a word without a meaning and for two with one name.
std::vector<Word> parse_glossary(std::string_view markdown, std::string_view source);

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

/// Links words where parts of a lesson first use them, if not linked yet. Needed for parts that are
/// shown alone.
void link_first_names(const std::vector<WordLink>& links, const std::vector<std::string*>& shown);

/// The entries that a text links to, each once, for a terminal; "" if there are none. Links without
/// a target are ignored; a test finds them.
std::string words_text(std::string_view markdown, std::size_t width);

/// A single entry: its name, synonyms and meaning.
std::string word_text(const Word& word, std::size_t width);

/// All words with their synonyms, by parts of the glossary.
std::string words_list(std::size_t width);

}  // namespace gpp
