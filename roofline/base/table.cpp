#include "roofline/base/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace roofline {

void Table::add(std::vector<std::string> cells, std::function<std::string(std::string)> paint) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs a cell per column");
  rows_.push_back({std::move(cells), std::move(paint)});
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    text += columns_[i].align == Align::left ? fmt::format("{:<{}}", cells[i], widths[i])
                                             : fmt::format("{:>{}}", cells[i], widths[i]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string Table::text() const {
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const Column& column : columns_) titles.push_back(column.title);
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = titles[i].size();
    for (const Row& row : rows_) width = std::max(width, row.cells[i].size());
    widths.push_back(width);
  }
  std::size_t total = 2 * (widths.size() - 1);
  for (const std::size_t width : widths) total += width;

  std::string text = fmt::format("{}\n{:-<{}}\n", line(titles, widths), "", total);
  for (const Row& row : rows_) {
    const std::string plain = line(row.cells, widths);
    text += (row.paint ? row.paint(plain) : plain) + "\n";
  }
  return text;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t first) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = first;
  for (std::string word; words >> word;) {
    if (!result.empty() && column + 1 + word.size() > width) {
      result.push_back('\n');
      result.append(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result.push_back(' ');
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

}  // namespace roofline
