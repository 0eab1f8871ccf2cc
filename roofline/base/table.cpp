#include "roofline/base/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace roofline {
namespace {

/// The width of a text on a terminal: the number of bytes that start a UTF-8 character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void Table::add(std::vector<std::string> cells, std::function<std::string(std::string)> paint) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row needs a cell per column");
  rows_.push_back({std::move(cells), std::move(paint)});
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<std::size_t>& widths) const {
  std::string text;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) text += "  ";
    const std::string padding(widths[i] - width_of(cells[i]), ' ');
    text += columns_[i].align == Align::left ? cells[i] + padding : padding + cells[i];
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
    std::size_t width = width_of(titles[i]);
    for (const Row& row : rows_) width = std::max(width, width_of(row.cells[i]));
    widths.push_back(width);
  }
  std::size_t total = widths.empty() ? 0 : 2 * (widths.size() - 1);
  for (const std::size_t width : widths) total += width;

  std::string text = fmt::format("{}\n{:-<{}}\n", line(titles, widths), "", total);
  for (const Row& row : rows_) {
    const std::string plain = line(row.cells, widths);
    text += (row.paint ? row.paint(plain) : plain) + "\n";
  }
  return text;
}

}  // namespace roofline
