#include "harness/teach/glossary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <stdexcept>

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

/// The names in a line such as "Also: SM, streaming multiprocessor."
std::vector<std::string> names_in(std::string joined) {
  while (!joined.empty() && joined.back() == '.') joined.pop_back();
  std::vector<std::string> names;
  std::istringstream stream(joined);
  for (std::string name; std::getline(stream, name, ',');)
    names.emplace_back(roofline::trimmed(name));
  return names;
}

void take_synonyms(Word& word) {
  constexpr std::string_view opening = "\n\nAlso: ";
  const std::size_t at = word.meaning.find(opening);
  if (at == std::string::npos) return;
  std::string joined = word.meaning.substr(at + opening.size());
  std::replace(joined.begin(), joined.end(), '\n', ' ');
  word.synonyms = names_in(joined);
  word.meaning.resize(at);
}

/// True if the name at that place is a separate word and not part of a link or of code.
bool stands_alone(const std::string& text, std::size_t at, std::size_t size) {
  const auto part_of_name = [&text](std::size_t place) {
    return place < text.size() && (std::isalnum(static_cast<unsigned char>(text[place])) != 0 ||
                                   std::string_view("_`]'").find(text[place]) != std::string::npos);
  };
  if ((at > 0 && part_of_name(at - 1)) || part_of_name(at + size)) return false;
  const std::string before = text.substr(0, at);
  const auto open = [&before](const char* opening, const char* closing) {
    const std::size_t last = before.rfind(opening);
    return last != before.npos && before.find(closing, last) == before.npos;
  };
  return !open("[", "]") && !open("](", ")");
}

/// Links the first name that stands alone. Returns false if there is none.
bool link_in(std::string& text, const WordLink& link) {
  for (std::size_t at = text.find(link.label); at != text.npos;
       at = text.find(link.label, at + 1)) {
    if (!stands_alone(text, at, link.label.size())) continue;
    text.replace(at, link.label.size(),
                 fmt::format("[{}](docs/glossary.md#{})", link.label, link.anchor));
    return true;
  }
  return false;
}

[[noreturn]] void fail(std::string_view source, const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}", source, what));
}

}  // namespace

std::vector<Word> parse_glossary(std::string_view markdown, std::string_view source) {
  std::vector<Word> words;
  bool inside = false;
  std::string part;
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("### ")) {
      const std::string name(roofline::trimmed(std::string_view(line).substr(4)));
      words.push_back({name, anchor_of(name), {}, {}, part});
      inside = true;
    } else if (line.starts_with("#")) {
      inside = false;
      part = roofline::trimmed(
          std::string_view(line).substr(std::min(line.size(), line.find_first_not_of('#'))));
    } else if (inside) {
      words.back().meaning += line + "\n";
    }
  }
  std::set<std::string> known;
  for (Word& word : words) {
    word.meaning = roofline::trimmed(word.meaning);
    take_synonyms(word);
    if (word.meaning.empty()) fail(source, fmt::format("'### {}' has no meaning", word.name));
    std::vector<std::string> names = word.synonyms;
    names.push_back(word.name);
    for (const std::string& name : names)
      if (!known.insert(roofline::in_lower_case(name)).second)
        fail(source, fmt::format("'{}' stands twice", name));
  }
  return words;
}

const std::vector<Word>& glossary() {
  static const std::vector<Word> words = [] {
    const embedded::File& file = embedded::glossary().front();
    return parse_glossary(without_comments(file.text), file.path);
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

void link_first_names(const std::vector<WordLink>& links, const std::vector<std::string*>& shown) {
  for (const WordLink& link : links) {
    const bool linked = std::ranges::any_of(shown, [&link](const std::string* text) {
      return text->find("glossary.md#" + link.anchor + ")") != std::string::npos;
    });
    if (linked) continue;
    for (std::string* text : shown)
      if (link_in(*text, link)) break;
  }
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

std::string words_list(std::size_t width) {
  std::string text = "The words of the glossary. gpp explain WORD tells what one means.\n", part;
  for (const Word& word : glossary()) {
    if (word.part != part) text += fmt::format("\n{}\n", word.part);
    part = word.part;
    const std::string others = fmt::format("{}", fmt::join(word.synonyms, ", "));
    const std::string line = others.empty() ? word.name : fmt::format("{}: {}", word.name, others);
    text += fmt::format("  {}\n", roofline::wrapped(line, width, 6, 2));
  }
  return text;
}

}  // namespace gpp
