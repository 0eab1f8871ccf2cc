// The words of the field: docs/glossary.md, one source for `gpp explain`, the report and its
// readers.
//
// "### occupancy" begins a word, the text below is its meaning. A paragraph "Also: SM, block."
// names what else it is called. A text links a word where it first uses it:
// [occupancy](../docs/glossary.md#occupancy).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

struct Word {
  std::string name;                   ///< "multiprocessor"
  std::string anchor;                 ///< of its heading in a link: "multiprocessor"
  std::vector<std::string> synonyms;  ///< {"SM"}
  std::string meaning;                ///< Markdown, without the paragraph "Also:"
  std::string part = {};              ///< the heading above: "Memory"
};

/// The words of a text in Markdown, in its order. Throws std::runtime_error, which names `source`,
/// for a word without a meaning and for two of one name.
std::vector<Word> parse_glossary(std::string_view markdown, std::string_view source);

/// All words of the project.
const std::vector<Word>& glossary();

/// Finds a word by name, synonym or anchor, in any case of letters; nullptr where there is none.
const Word* find_word(std::string_view name);

/// A link to the glossary.
struct WordLink {
  std::string label;   ///< "warps"
  std::string anchor;  ///< "warp"
};

/// The words of the glossary in a text, in its order.
std::vector<WordLink> word_links(std::string_view markdown);

/// For parts of a lesson that are shown alone: links its words where these parts first name them,
/// as far as they do not yet.
void link_first_names(const std::vector<WordLink>& links, const std::vector<std::string*>& shown);

/// The words that a text links to, each once, with their meanings, for a terminal; "" where there
/// are none. Links that lead nowhere are passed over: a test finds them.
std::string words_text(std::string_view markdown, std::size_t width);

/// The name, what else it is called, and the meaning: a word alone.
std::string word_text(const Word& word, std::size_t width);

/// All words with what else they are called, by parts of the glossary.
std::string words_list(std::size_t width);

}  // namespace gpp
