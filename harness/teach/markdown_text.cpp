#include "harness/teach/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "harness/teach/glossary.h"
#include "roofline/base/pattern.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/view/svg.h"

namespace gpp {
namespace {

/// The first code (group 1), strong text (2) or link (3, 4). Unmatched markup is plain text.
std::optional<roofline::Match> first_markup(const std::string& text) {
  static const roofline::Pattern markup(R"(`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]*)\]\(([^)]*)\))");
  return markup.first(text);
}

/// A glossary word shows its meaning as a tooltip. Other links lead into the repository, which a
/// page does not have beside it, so only their text is shown.
std::string link_html(const std::string& shown, const std::string& target) {
  constexpr std::string_view mark = "glossary.md#";
  const std::size_t anchor = target.find(mark);
  const Word* word =
      anchor == target.npos ? nullptr : find_word(target.substr(anchor + mark.size()));
  if (word == nullptr) return shown;
  return fmt::format(R"(<abbr title="{}" tabindex="0">{}</abbr>)",
                     roofline::xml_lines(without_signs(word->meaning)), shown);
}

std::string spans_html(const std::string& text) {
  const auto found = first_markup(text);
  if (!found) return roofline::xml_lines(text);
  const roofline::Match& markup = *found;
  std::string html = roofline::xml_lines(markup.before);
  if (!markup[1].empty())
    html += fmt::format("<code>{}</code>", roofline::xml_lines(markup[1]));
  else if (!markup[2].empty())
    html += fmt::format("<strong>{}</strong>", spans_html(markup[2]));
  else
    html += link_html(spans_html(markup[3]), markup[4]);
  return html + spans_html(markup.after);
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

/// The rows of a table without the line below the titles, "| --- | ---: |".
std::vector<Row> rows_of(const std::string& table) {
  std::vector<Row> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of("|-: ") == std::string::npos) continue;
    std::istringstream cells(line.substr(1));
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, '|');)
      rows.back().emplace_back(roofline::trimmed(cell));
  }
  return rows;
}

/// The first row holds the titles. The last column is broken at words so that a line fits.
std::string table_text(const std::string& lines, std::size_t width) {
  std::vector<Row> rows = rows_of(lines);
  std::vector<std::size_t> widths;
  for (Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = roofline::wrapped(without_signs(row[i]), std::string::npos, 0);  // on one line
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text;
  std::size_t longest = 0, after_titles = 0;
  for (const Row& row : rows) {
    std::string line;
    for (std::size_t i = 0; i + 1 < row.size(); ++i)
      line += fmt::format("{:<{}}", row[i], widths[i] + 2);
    if (!row.empty()) line += roofline::wrapped(row.back(), width, line.size(), line.size());
    text += line + "\n";
    if (after_titles == 0) after_titles = text.size();
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part);) longest = std::max(longest, part.size());
  }
  return text.insert(after_titles, rows.empty() ? "" : std::string(longest, '-') + "\n");
}

/// The underlined title of a line "## Title".
std::string heading_text(std::string_view line) {
  const char under = line.starts_with("## ") ? '-' : '=';
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  const std::string title = without_signs(std::string(line));
  return title + "\n" + std::string(title.size(), under) + "\n";
}

/// Turns "![description](path/to/file.svg)" into a line with the path.
std::string picture_text(const std::string& line, std::size_t width,
                         const std::filesystem::path& folder) {
  static const roofline::Pattern picture(R"(^!\[([^\]]*)\]\(([^)]*)\))");
  const auto found = picture.first(line);
  if (!found) return line + "\n";
  return roofline::paragraph(
      fmt::format("[picture {}: {}]", (folder / (*found)[2]).string(), (*found)[1]), 1, width);
}

/// The first row holds the titles.
std::string table_html(const std::string& lines) {
  std::string html = "<table>";
  const char* cell = "th";
  for (const Row& row : rows_of(lines)) {
    html += "<tr>";
    for (const std::string& text : row)
      html += fmt::format("<{0}>{1}</{0}>", cell, spans_html(text));
    html += "</tr>";
    cell = "td";
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

std::string without_signs(std::string markdown) {
  std::ranges::replace(markdown, '\n', ' ');
  const auto found = first_markup(markdown);
  if (!found) return markdown;
  const roofline::Match& markup = *found;
  return markup.before + (markup[1].empty() ? without_signs(markup[2] + markup[3]) : markup[1]) +
         without_signs(markup.after);
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
    else if (block.kind == Block::table)
      html += table_html(block.text);
    else
      html += fmt::format("<{0}>{1}</{0}>", list.empty() ? "p" : "li",
                          spans_html(block.text.substr(item_indent(block))));
  }
  change_list("");
  return html;
}

}  // namespace gpp
