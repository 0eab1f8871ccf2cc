#include "harness/teach/markdown_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "roofline/base/table.h"

namespace gpp {
namespace {

/// 2 for "- ", 3 for "1. ", else 0: where an item's text begins.
std::size_t item_indent(std::string_view line) {
  if (line.starts_with("- ")) return 2;
  const bool numbered = line.size() > 3 && std::isdigit(static_cast<unsigned char>(line[0])) != 0 &&
                        line.substr(1, 2) == ". ";
  return numbered ? 3 : 0;
}

using Row = std::vector<std::string>;

/// "| a | b |" without its bars.
Row cells_of(std::string_view line) {
  Row cells;
  line.remove_prefix(1);
  while (!line.empty()) {
    const std::size_t bar = std::min(line.find('|'), line.size());
    std::istringstream words{without_signs(line.substr(0, bar))};
    std::string cell;
    for (std::string word; words >> word;) cell += (cell.empty() ? "" : " ") + word;
    cells.push_back(cell);
    line.remove_prefix(std::min(bar + 1, line.size()));
  }
  return cells;
}

/// "| --- | ---: |"
bool is_rule(std::string_view line) {
  return line.find_first_not_of("|-: ") == std::string_view::npos;
}

/// What the columns need, the widest narrowed until a line ends before `width`.
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

/// One row of the table, of as many lines as its longest cell.
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

/// The first row is the titles.
std::string table_text(const std::vector<Row>& rows, std::size_t width) {
  if (rows.empty()) return {};
  const std::vector<std::size_t> widths = widths_of(rows, width);
  std::string text = row_text(rows.front(), widths), rule;
  for (const std::size_t one : widths)
    rule += std::string(rule.empty() ? 0 : 2, ' ') + std::string(one, '-');
  text += rule + "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) text += row_text(rows[i], widths);
  return text;
}

/// "## Title", underlined.
std::string heading_text(std::string_view line) {
  const char under = line.starts_with("## ") ? '-' : '=';
  line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
  const std::string title = without_signs(line);
  return title + "\n" + std::string(title.size(), under) + "\n";
}

/// "![what it shows](where/it/lies.svg)"
std::string picture_text(std::string_view line, std::size_t width) {
  const std::size_t middle = line.find("](");
  const std::size_t end = line.rfind(')');
  if (middle == line.npos || end == line.npos || end < middle) return std::string(line) + "\n";
  const std::string text = "[picture " + std::string(line.substr(middle + 2, end - middle - 2)) +
                           ": " + std::string(line.substr(2, middle - 2)) + "]";
  return roofline::wrapped(text, width, 1) + "\n";
}

/// Takes a text line by line and keeps what is open.
class Reader {
 public:
  explicit Reader(std::size_t width) : width_(width) {}

  void take(const std::string& line) {
    if (line.starts_with("```")) {
      close();
      in_code_ = !in_code_;
    } else if (in_code_) {
      text_ += line.empty() ? "\n" : "  " + line + "\n";
    } else if (line.starts_with("|")) {
      if (!is_rule(line)) rows_.push_back(cells_of(line));
    } else if (line.empty()) {
      close();
      if (!text_.empty() && !text_.ends_with("\n\n")) text_ += "\n";
    } else if (line.starts_with("#")) {
      close();
      text_ += heading_text(line);
    } else if (line.starts_with("![")) {
      close();
      text_ += picture_text(line, width_);
    } else {
      take_words(line);
    }
  }

  std::string finish() {
    close();
    return text_;
  }

 private:
  void take_words(const std::string& line) {
    if (item_indent(line) > 0) {
      close();
      indent_ = item_indent(line);
    }
    block_ += line + "\n";
  }

  void close() {
    text_ += table_text(rows_, width_);
    rows_.clear();
    if (!block_.empty()) text_ += roofline::wrapped(without_signs(block_), width_, indent_) + "\n";
    block_.clear();
    indent_ = 0;
  }

  std::size_t width_;
  std::string text_, block_;
  std::vector<Row> rows_;
  std::size_t indent_ = 0;
  bool in_code_ = false;
};

}  // namespace

std::string without_signs(std::string_view markdown) {
  std::string text;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const std::string_view rest = markdown.substr(i);
    if (rest.starts_with("**")) {
      ++i;
    } else if (rest.starts_with("](")) {
      i += std::min(rest.find(')'), rest.size() - 1);
    } else if (rest[0] != '`' && rest[0] != '[') {
      text.push_back(rest[0] == '\n' ? ' ' : rest[0]);
    }
  }
  return text;
}

std::string markdown_text(std::string_view markdown, std::size_t width) {
  Reader reader(width);
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) reader.take(line);
  return reader.finish();
}

}  // namespace gpp
