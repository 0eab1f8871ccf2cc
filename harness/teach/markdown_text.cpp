#include "harness/teach/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "harness/teach/glossary.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

/// A piece of a line: plain text, or the content of code, strong text or a link.
struct Span {
  enum Kind { plain, code, strong, link } kind = plain;
  std::string_view text;
  std::string_view target;  ///< target of a Markdown link
};

/// The span that markup at the start of `rest` encloses, and its length in bytes with the markup; 0
/// if nothing is enclosed.
std::pair<Span, std::size_t> enclosed(std::string_view rest) {
  const auto between = [rest](Span::Kind kind,
                              std::string_view sign) -> std::pair<Span, std::size_t> {
    const std::size_t end = rest.find(sign, sign.size());
    if (end == rest.npos || end == sign.size()) return {};
    return {{kind, rest.substr(sign.size(), end - sign.size()), {}}, end + sign.size()};
  };
  if (rest.starts_with('`')) return between(Span::code, "`");
  if (rest.starts_with("**")) return between(Span::strong, "**");
  if (!rest.starts_with('[')) return {};
  const std::size_t middle = rest.find(']');
  if (middle == rest.npos || !rest.substr(middle).starts_with("](")) return {};
  const std::size_t end = rest.find(')', middle);
  if (end == rest.npos) return {};
  return {{Span::link, rest.substr(1, middle - 1), rest.substr(middle + 2, end - middle - 2)},
          end + 1};
}

/// Unmatched markup is plain text.
std::vector<Span> spans_of(std::string_view text) {
  std::vector<Span> spans;
  std::size_t plain = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto [span, size] = enclosed(text.substr(at));
    if (size > 0) {
      spans.push_back({Span::plain, text.substr(plain, at - plain), {}});
      spans.push_back(span);
      plain = at + size;
    }
    at += std::max<std::size_t>(size, 1);
  }
  spans.push_back({Span::plain, text.substr(plain), {}});
  return spans;
}

/// A glossary word shows its meaning as a tooltip. Other links lead into the repository, which a
/// page does not have beside it, so only their text is shown.
std::string spans_html(std::string_view text) {
  std::string html;
  for (const Span& span : spans_of(text)) {
    if (span.kind == Span::plain) {
      html += roofline::xml_lines(span.text);
    } else if (span.kind == Span::code) {
      html += fmt::format("<code>{}</code>", roofline::xml_lines(span.text));
    } else if (span.kind == Span::strong) {
      html += fmt::format("<strong>{}</strong>", spans_html(span.text));
    } else {
      constexpr std::string_view mark = "glossary.md#";
      const std::size_t anchor = span.target.find(mark);
      const Word* word = anchor == span.target.npos
                             ? nullptr
                             : find_word(span.target.substr(anchor + mark.size()));
      html += word == nullptr ? spans_html(span.text)
                              : fmt::format(R"(<abbr title="{}" tabindex="0">{}</abbr>)",
                                            roofline::xml_lines(without_signs(word->meaning)),
                                            spans_html(span.text));
    }
  }
  return html;
}

/// A paragraph-like part of a text, with the markup of its kind.
struct Block {
  enum Kind { paragraph, bullet, number, heading, table, picture, code } kind = paragraph;
  std::string text;
  bool gap = false;  ///< true after an empty line
};

Block::Kind kind_of(std::string_view line) {
  const bool digit = std::isdigit(static_cast<unsigned char>(line[0])) != 0;
  if (line.starts_with("- ")) return Block::bullet;
  if (digit && line.substr(1, 2) == ". " && line.size() > 3) return Block::number;
  if (line.starts_with("#")) return Block::heading;
  if (line.starts_with("|")) return Block::table;
  return line.starts_with("![") ? Block::picture : Block::paragraph;
}

/// The number of characters before an item's text.
std::size_t item_indent(const Block& block) {
  return block.kind == Block::bullet ? 2 : block.kind == Block::number ? 3 : 0;
}

std::vector<Block> blocks_of(std::string_view markdown) {
  std::vector<Block> blocks;
  bool in_code = false, gap = false, open = false;
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("```")) {
      in_code = !in_code;
      open = false;
      if (in_code) blocks.push_back({Block::code, "", gap});
      gap = false;
    } else if (in_code) {
      blocks.back().text += line + "\n";
    } else if (line.empty()) {
      gap = !blocks.empty();
      open = false;
    } else {
      const Block::Kind kind = kind_of(line);
      const bool goes_on =
          open && (kind == Block::paragraph ? blocks.back().kind <= Block::number
                                            : kind == Block::table && blocks.back().kind == kind);
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

using Row = std::vector<std::string>;

/// Splits "| a | b |" into its cells "a" and "b".
Row texts_between_bars(std::string_view line) {
  Row texts;
  line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t bar = std::min(line.find('|'), line.size());
    texts.emplace_back(roofline::trimmed(line.substr(0, bar)));
    line.remove_prefix(std::min(bar + 1, line.size()));
  }
  return texts;
}

/// The cells without markup, on one line.
Row cells_of(std::string_view line) {
  Row cells = texts_between_bars(line);
  for (std::string& cell : cells) {
    std::istringstream words{without_signs(cell)};
    cell.clear();
    for (std::string word; words >> word;) cell += (cell.empty() ? "" : " ") + word;
  }
  return cells;
}

/// True for the line below the titles: "| --- | ---: |".
bool is_rule(std::string_view line) {
  return line.find_first_not_of("|-: ") == std::string_view::npos;
}

/// The columns' widths; the widest one is narrowed until a line fits into `width`.
std::vector<std::size_t> widths_of(const std::vector<Row>& rows, std::size_t width) {
  constexpr std::size_t narrowest = 8;
  std::vector<std::size_t> widths;
  for (const Row& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  const auto total = [&widths] {
    std::size_t sum = 2 * (widths.size() - 1);
    for (const std::size_t one : widths) sum += one;
    return sum;
  };
  while (!widths.empty() && total() >= width) {
    std::size_t& widest = *std::max_element(widths.begin(), widths.end());
    if (widest <= narrowest) break;
    --widest;
  }
  return widths;
}

/// One row of a table, over as many lines as its longest cell needs.
std::string row_text(const Row& row, const std::vector<std::size_t>& widths) {
  std::vector<Row> columns;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::istringstream lines(roofline::wrapped(row[i], widths[i], 0));
    columns.emplace_back();
    for (std::string line; std::getline(lines, line);) columns.back().push_back(line);
    height = std::max(height, columns.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string whole;
    std::size_t start = 0;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      whole.resize(std::max(whole.size(), start), ' ');
      if (line < columns[i].size()) whole += columns[i][line];
      start += widths[i] + 2;
    }
    text += whole.substr(0, whole.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// The first row holds the titles.
std::string table_text(const std::string& lines, std::size_t width) {
  std::vector<Row> rows;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);)
    if (!is_rule(line)) rows.push_back(cells_of(line));
  if (rows.empty()) return {};
  const std::vector<std::size_t> widths = widths_of(rows, width);
  std::string text = row_text(rows.front(), widths), rule;
  for (const std::size_t one : widths)
    rule += std::string(rule.empty() ? 0 : 2, ' ') + std::string(one, '-');
  text += rule + "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) text += row_text(rows[i], widths);
  return text;
}

/// The underlined title of a line "## Title".
std::string heading_text(std::string_view line) {
  const char under = line.starts_with("## ") ? '-' : '=';
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  const std::string title = without_signs(line);
  return title + "\n" + std::string(title.size(), under) + "\n";
}

/// A picture in Markdown: "![description](path/to/file.svg)".
struct PictureLine {
  std::string shows;
  std::string path;  ///< empty if the line has no picture
};

PictureLine picture_of(std::string_view line) {
  const std::size_t middle = line.find("](");
  const std::size_t end = line.rfind(')');
  if (middle == line.npos || end == line.npos || end < middle) return {std::string(line), ""};
  return {std::string(line.substr(2, middle - 2)),
          std::string(line.substr(middle + 2, end - middle - 2))};
}

std::string picture_text(std::string_view line, std::size_t width,
                         const std::filesystem::path& folder) {
  const PictureLine picture = picture_of(line);
  if (picture.path.empty()) return picture.shows + "\n";
  const std::string text =
      "[picture " + (folder / picture.path).string() + ": " + picture.shows + "]";
  return roofline::paragraph(text, 1, width);
}

std::string picture_html(std::string_view line) {
  return fmt::format("<p>{}</p>", roofline::xml_lines(picture_of(line).shows));
}

std::string heading_html(std::string_view line) {
  constexpr std::size_t deepest = 6;
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  return fmt::format("<h{0}>{1}</h{0}>", std::min(level, deepest),
                     spans_html(roofline::trimmed(line.substr(level))));
}

/// The first row holds the titles.
std::string table_html(const std::string& lines) {
  std::string html = "<table>";
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    if (is_rule(line)) continue;
    const char* const cell = html == "<table>" ? "th" : "td";
    html += "<tr>";
    for (const std::string& text : texts_between_bars(line))
      html += fmt::format("<{0}>{1}</{0}>", cell, spans_html(text));
    html += "</tr>";
  }
  return html + "</table>";
}

std::string code_text(const std::string& lines) {
  std::string text;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);)
    text += line.empty() ? "\n" : "  " + line + "\n";
  return text;
}

std::string block_text(const Block& block, std::size_t width, const std::filesystem::path& folder) {
  switch (block.kind) {
    case Block::heading:
      return heading_text(block.text);
    case Block::table:
      return table_text(block.text, width);
    case Block::picture:
      return picture_text(block.text, width, folder);
    case Block::code:
      return code_text(block.text);
    default:
      return roofline::paragraph(without_signs(block.text), item_indent(block), width);
  }
}

}  // namespace

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

std::string without_signs(std::string_view markdown) {
  std::string text;
  for (const Span& span : spans_of(markdown))
    text += span.kind == Span::plain || span.kind == Span::code ? std::string(span.text)
                                                                : without_signs(span.text);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::string markdown_text(std::string_view markdown, std::size_t width,
                          const std::filesystem::path& folder) {
  std::string text;
  for (const Block& block : blocks_of(markdown)) {
    if (block.gap) text += "\n";
    text += block_text(block, width, folder);
  }
  return text;
}

std::string markdown_html(std::string_view markdown) {
  std::string html, list;  // `list` is the tag of the open list
  const auto change_list = [&](std::string tag) {
    if (tag == list) return;
    if (!list.empty()) html += fmt::format("</{}>", list);
    if (!tag.empty()) html += fmt::format("<{}>", tag);
    list = std::move(tag);
  };
  for (const Block& block : blocks_of(markdown)) {
    change_list(block.kind == Block::bullet ? "ul" : block.kind == Block::number ? "ol" : "");
    if (block.kind == Block::code)
      html += fmt::format("<pre>{}</pre>", roofline::xml_lines(block.text));
    else if (block.kind == Block::heading)
      html += heading_html(block.text);
    else if (block.kind == Block::table)
      html += table_html(block.text);
    else if (block.kind == Block::picture)
      html += picture_html(block.text);
    else
      html += fmt::format("<{0}>{1}</{0}>", list.empty() ? "p" : "li",
                          spans_html(std::string_view(block.text).substr(item_indent(block))));
  }
  change_list("");
  return html;
}

}  // namespace gpp
