#include "harness/teach/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/program/embedded.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

/// The first code (group 1), strong text (2) or link (3, 4). Unmatched markup is plain text.
std::optional<roofline::Match> first_markup(const std::string& text) {
  static const roofline::Pattern markup(R"(`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]*)\]\(([^)]*)\))");
  return markup.first(text);
}

/// The text on one line, without markup for strong text, code and links.
std::string without_signs(std::string markdown) {
  std::ranges::replace(markdown, '\n', ' ');
  const auto found = first_markup(markdown);
  if (!found) return markdown;
  const roofline::Match& markup = *found;
  return markup.before + (markup[1].empty() ? without_signs(markup[2] + markup[3]) : markup[1]) +
         without_signs(markup.after);
}

enum class Kind { paragraph, bullet, number, table, code, other };

struct Block {
  Kind kind = Kind::paragraph;
  std::string text;  ///< of code without its fences
  bool gap = false;  ///< true after an empty line
};

Kind kind_of(std::string_view line) {
  if (line.starts_with("- ")) return Kind::bullet;
  if (roofline::is_digit(line[0]) && line.substr(1, 2) == ". ") return Kind::number;
  if (line.starts_with("|")) return Kind::table;
  return line.starts_with("#") || line.starts_with("![") ? Kind::other : Kind::paragraph;
}

/// The number of characters before an item's text.
std::size_t item_indent(Kind kind) {
  return kind == Kind::bullet ? 2 : kind == Kind::number ? 3 : 0;
}

std::vector<Block> blocks_of(std::string_view markdown) {
  std::vector<Block> blocks;
  bool in_code = false, gap = false, open = false;
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) {
      in_code = !in_code;
      if (in_code) blocks.push_back({Kind::code, "", gap});
      open = gap = false;
    } else if (in_code) {
      blocks.back().text += line + "\n";
    } else if (line.empty()) {
      gap = !blocks.empty();
      open = false;
    } else {
      const Kind kind = kind_of(line);
      const bool goes_on =
          open && (kind == Kind::paragraph ? blocks.back().kind <= Kind::number
                                           : kind == Kind::table && blocks.back().kind == kind);
      if (goes_on)
        blocks.back().text += "\n" + line;
      else
        blocks.push_back({kind, line, gap});
      gap = false;
      open = true;
    }
  }
  return blocks;
}

}  // namespace

std::string markdown_text(std::string_view markdown, std::size_t width) {
  static const roofline::Pattern link(R"(\[([^\]]*)\]\([^)]*\))");
  std::string text;
  for (const Block& block : blocks_of(markdown)) {
    if (block.gap) text += "\n";
    if (block.kind <= Kind::number)
      text += roofline::paragraph(without_signs(block.text), item_indent(block.kind), width);
    else if (block.kind == Kind::table)
      text += link.replaced(block.text, "$1") + "\n";
    else
      text += block.text + (block.kind == Kind::code ? "" : "\n");
  }
  return text;
}

std::string without_comments(std::string_view text) {
  constexpr std::string_view opening = "<!--", closing = "-->";
  std::string kept;
  for (std::size_t at = text.find(opening); at != text.npos; at = text.find(opening)) {
    kept += text.substr(0, at);
    const std::size_t end = text.find(closing, at);
    if (end == text.npos) return kept;
    text.remove_prefix(end + closing.size());
  }
  return kept.append(text);
}

std::vector<Word> parse_glossary(std::string_view markdown) {
  static const roofline::Pattern also(R"(\n\nAlso: ([^.]*)\.\s*$)");
  std::vector<Word> words;
  bool inside = false;
  std::istringstream stream{without_comments(markdown)};
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("### "))
      words.push_back({{line.substr(4)}});
    else if (inside && !line.starts_with("#"))
      words.back().meaning += line + "\n";
    if (line.starts_with("#")) inside = line.starts_with("### ");
  }
  for (Word& word : words) {
    if (const auto found = also.first(word.meaning)) {
      std::string all = (*found)[1];
      std::ranges::replace(all, '\n', ' ');
      std::istringstream names(all);
      for (std::string name; std::getline(names, name, ',');)
        word.names.emplace_back(roofline::trimmed(name));
      word.meaning = found->before;
    }
    word.meaning = roofline::trimmed(word.meaning);
  }
  return words;
}

const std::vector<Word>& glossary() {
  static const std::vector<Word> words = parse_glossary(embedded::glossary().front().text);
  return words;
}

const Word* find_word(std::string_view name) {
  const std::string wanted = roofline::in_lower_case(name);
  for (const Word& word : glossary())
    if (std::ranges::find(word.names, wanted, roofline::in_lower_case) != word.names.end())
      return &word;
  return nullptr;
}

}  // namespace gpp
