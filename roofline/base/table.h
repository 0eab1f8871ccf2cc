// A table as plain data. Pure functions make tables from records; the terminal, CSV files and the
// page only format them.
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

/// One cell. `text` is shown; the page sorts by `key` if that is a number, else by `text`.
struct TableCell {
  std::string text;       ///< text with its unit; "-" if unknown
  double key = NAN;       ///< unformatted value; NaN if there is none
  std::string note = {};  ///< a tooltip on the page
  std::string link = {};  ///< an anchor of the page: "step-v9"
  std::string tone = {};  ///< its colour: "good", "bad", "warning" or empty
};

struct TableColumn {
  std::string name;       ///< identifier, unique in the table: "of_roof"
  std::string title;      ///< heading of the column
  std::string note = {};  ///< explanation in one sentence
  std::string unit = {};  ///< unit of the keys: "s", "FLOP/s", "%"; empty: none
  Align align = Align::left;
};

/// Tags by which a switch of the page can hide a row or a mark: {"model", "omp"}.
using Tags = std::vector<std::pair<std::string, std::string>>;

/// The tags as a page's script reads them: "model=omp;level=dram". Variants have no switch
/// and are left out.
std::string tags_text(const Tags& tags);
/// A choice without the characters that separate tags.
std::string tag_text(const std::string& choice);

struct TableRow {
  std::vector<TableCell> cells;  ///< the row's cells, one per column
  Tags tags = {};
  std::string tone = {};  ///< tone of the whole row, as in TableCell
};

struct Table {
  std::string name;     ///< identifier, unique on a page: "results"
  std::string caption;  ///< title of the table for people
  std::vector<TableColumn> columns;
  std::vector<TableRow> rows;
  std::vector<std::string> notes;  ///< sentences below it: explanations of signs, omissions

  /// Adds a row of texts, one per column.
  void add(const std::vector<std::string>& texts, const std::string& tone = {});
};

/// A table that only a terminal shows, without rows yet.
struct Title {
  std::string text;
  Align align = Align::left;
};
Table plain_table(const std::vector<Title>& titles);

/// A column with a function that makes its cell from a row.
template <class Row>
struct ColumnOf {
  TableColumn head;
  std::function<TableCell(const Row&)> cell;
};

/// Adds one row for each of `rows`, and the given columns to those that the table has.
template <class Row, class Rows>
Table table_of(const std::vector<ColumnOf<Row>>& columns, const Rows& rows, Table table) {
  for (const ColumnOf<Row>& column : columns) table.columns.push_back(column.head);
  for (const Row& row : rows) {
    TableRow line;
    for (const ColumnOf<Row>& column : columns) line.cells.push_back(column.cell(row));
    table.rows.push_back(std::move(line));
  }
  return table;
}

/// Functions that make cells of numbers; "-" if unknown (roofline/base/text.h).
namespace cell {
TableCell number(std::optional<double> value, const std::function<std::string(double)>& text);
TableCell seconds(std::optional<double> value);
TableCell percent(std::optional<double> value, int decimals = 1);
TableCell times(std::optional<double> factor);
TableCell rate(std::optional<double> value, const std::string& unit);      ///< four-digit rate
TableCell prefixed(std::optional<double> value, const std::string& unit);  ///< a value in 3 digits
TableCell short_number(std::optional<double> value);
TableCell integer(std::int64_t value);
/// Returns "2.00e+09" with this many decimals.
TableCell scientific(std::optional<double> value, int decimals = 2);
}  // namespace cell

/// The table without columns in which all cells are empty ("", "-").
Table without_empty_columns(Table table);

/// A line of titles, a rule, a line per row; two spaces between columns, no trailing spaces. Notes
/// follow, broken at `width`. Rows are coloured by their tones if requested.
std::string terminal_text(const Table& table, bool colours = false, std::size_t width = 100);

/// Comma-separated values (RFC 4180): names of the columns, then keys with all digits if present,
/// else texts, and nothing for "-". No cell looks like a formula to a spreadsheet.
std::string csv_text(const Table& table);

/// The rows as JSON objects by the columns' names: keys as numbers, else texts, and null for "-".
nlohmann::ordered_json rows_json(const Table& table);

}  // namespace roofline
