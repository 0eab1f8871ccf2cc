#include "harness/teach/glossary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>

#include "harness/program/embedded.h"
#include "harness/teach/markdown_text.h"
#include "roofline/base/pattern.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

/// The anchor that Markdown makes from a heading: letters, digits, "_" and "-" stay, a space
/// becomes "-".
std::string anchor_of(std::string_view name) {
  std::string anchor;
  for (const char letter : roofline::in_lower_case(name)) {
    if (letter == ' ') anchor += '-';
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-')
      anchor += letter;
  }
  return anchor;
}

/// Takes the paragraph "Also: SM, streaming multiprocessor." out of a meaning.
void take_synonyms(Word& word) {
  constexpr std::string_view opening = "\n\nAlso: ";
  const std::size_t at = word.meaning.find(opening);
  if (at == std::string::npos) return;
  std::string joined = word.meaning.substr(at + opening.size());
  std::ranges::replace(joined, '\n', ' ');
  while (joined.ends_with('.')) joined.pop_back();
  std::istringstream stream(joined);
  for (std::string name; std::getline(stream, name, ',');)
    word.synonyms.emplace_back(roofline::trimmed(name));
  word.meaning.resize(at);
}

}  // namespace

std::vector<Word> parse_glossary(std::string_view markdown) {
  std::vector<Word> words;
  bool inside = false;
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("### ")) {
      words.push_back({line.substr(4), anchor_of(line.substr(4))});
      inside = true;
    } else if (line.starts_with("#")) {
      inside = false;
    } else if (inside) {
      words.back().meaning += line + "\n";
    }
  }
  for (Word& word : words) {
    word.meaning = roofline::trimmed(word.meaning);
    take_synonyms(word);
  }
  return words;
}

const std::vector<Word>& glossary() {
  static const std::vector<Word> words = [] {
    const embedded::File& file = embedded::glossary().front();
    return parse_glossary(without_comments(file.text));
  }();
  return words;
}

const Word* find_word(std::string_view name) {
  const std::string wanted = roofline::in_lower_case(name);
  for (const Word& word : glossary()) {
    if (roofline::in_lower_case(word.name) == wanted || word.anchor == wanted) return &word;
    for (const std::string& synonym : word.synonyms)
      if (roofline::in_lower_case(synonym) == wanted) return &word;
  }
  return nullptr;
}

std::vector<WordLink> word_links(std::string_view markdown) {
  static const roofline::Pattern link(R"(\[([^\]]+)\]\([^)#]*glossary\.md#([^)]*)\))");
  std::vector<WordLink> links;
  for (const roofline::Match& found : link.all(std::string(markdown)))
    links.push_back({found[1], found[2]});
  return links;
}

std::string words_text(std::string_view markdown, std::size_t width) {
  std::string text;
  std::set<const Word*> told;
  for (const WordLink& link : word_links(markdown)) {
    const Word* word = find_word(link.anchor);
    if (word == nullptr || !told.insert(word).second) continue;
    const std::string line = fmt::format("{}: {}", word->name, without_signs(word->meaning));
    text += fmt::format("  {}\n", roofline::wrapped(line, width, 4, 2));
  }
  return text.empty() ? text : "\n  Words\n" + text;
}

std::string word_text(const Word& word, std::size_t width) {
  std::string title = word.name;
  for (const std::string& synonym : word.synonyms) title += ", " + synonym;
  return fmt::format("{}\n\n{}", roofline::wrapped(title, width, 2),
                     markdown_text(word.meaning, width));
}

}  // namespace gpp
