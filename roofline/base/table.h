// Terminal tables: texts in aligned columns. Tables that are also shown elsewhere are a ViewTable
// (roofline/view/table.h).
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace roofline {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// Adds a row with one cell per column. `paint` may colour the finished line with its padding.
  void add(std::vector<std::string> cells, std::function<std::string(std::string)> paint = {});

  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }

  /// Title line, rule, rows; two spaces between columns; no trailing spaces.
  std::string text() const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::function<std::string(std::string)> paint;
  };
  std::string line(const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace roofline
