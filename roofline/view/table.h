// A table as plain data. Pure functions make tables from records; the terminal, the CSV files and
// the page show them and compute nothing of the matter.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace roofline {

enum class Align { left, right };

/// One cell. A renderer shows `text`; the page sorts by `key` where it is a number, else by `text`.
struct TableCell {
  std::string text;       ///< as people read it, with its unit; "-" where nothing is known
  double key = NAN;       ///< the value before formatting; not a number where there is none
  std::string note = {};  ///< shown by the page when the cell is pointed at
  std::string link = {};  ///< an anchor of the page that the text leads to: "step-v9"
  std::string tone = {};  ///< "good", "bad", "warning" or empty: what its colour says
  /// Names with their anchors, which the page shows after the text: "See v9, v11".
  std::vector<std::pair<std::string, std::string>> see = {};
};

struct TableColumn {
  std::string name;       ///< for programs, unique in the table: "of_roof"
  std::string title;      ///< heads the column
  std::string note = {};  ///< what the column means, one sentence
  std::string unit = {};  ///< of the keys: "s", "FLOP/s", "%"; empty: none
  Align align = Align::left;
};

/// The things that a switch of the page can hide a row or a mark by: {"model", "omp"}.
using Tags = std::vector<std::pair<std::string, std::string>>;

struct TableRow {
  std::vector<TableCell> cells;  ///< one per column
  Tags tags = {};
  std::string tone = {};  ///< as that of a cell, for the whole row
};

struct ViewTable {
  std::string name;     ///< for programs, unique on a page: "results"
  std::string caption;  ///< for people
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::vector<std::string> notes;  ///< sentences below it: what signs mean, what is left out
};

/// A column with what it shows of a row: tables are made from lists of these.
template <class Row>
struct ColumnOf {
  TableColumn head;
  std::function<TableCell(const Row&)> cell;
};

/// One row of `table` for each of `rows`; columns are added to those that the table has.
template <class Row, class Rows>
ViewTable table_of(const std::vector<ColumnOf<Row>>& columns, const Rows& rows, ViewTable table) {
  for (const ColumnOf<Row>& column : columns) table.columns.push_back(column.head);
  for (const Row& row : rows) {
    TableRow line;
    for (const ColumnOf<Row>& column : columns) line.cells.push_back(column.cell(row));
    table.rows.push_back(std::move(line));
  }
  return table;
}

/// Cells of numbers; "-" where there is none (roofline/base/units.h).
namespace cell {
TableCell number(std::optional<double> value, const std::function<std::string(double)>& text);
TableCell seconds(std::optional<double> value);
TableCell percent(std::optional<double> value, int decimals = 1);
TableCell times(std::optional<double> factor);
TableCell rate(std::optional<double> value, const std::string& unit);      ///< four digits
TableCell prefixed(std::optional<double> value, const std::string& unit);  ///< three digits
TableCell short_number(std::optional<double> value);
TableCell integer(std::int64_t value);
/// "2.00e+09": so many decimals.
TableCell scientific(std::optional<double> value, int decimals = 2);
}  // namespace cell

/// The table without the columns in which no row says anything ("", "-").
ViewTable without_empty_columns(ViewTable table);

/// A line of titles, a rule, a line for each row; columns two spaces apart, no spaces at the ends
/// of lines. Notes follow, broken at `width` columns. Colours follow the tones of rows where they
/// are wanted.
std::string terminal_text(const ViewTable& table, bool colours = false, std::size_t width = 100);

/// Comma-separated values (RFC 4180): names of the columns, then keys in full where there are, else
/// texts, and nothing for "-". No cell can be taken for a formula by a spreadsheet.
std::string csv_text(const ViewTable& table);

/// For the page: {"name", "caption", "columns": [{"name", "title", "note", "unit", "right"}],
/// "rows": [{"cells": [...], "tags", "tone"}], "notes"}. A cell is its text alone, or an object
/// {"text", "key", "note", "link", "tone",
/// "see": [[name, anchor]]}. What is empty is left out, of cells, columns and rows.
nlohmann::ordered_json to_json(const ViewTable& table);

}  // namespace roofline
