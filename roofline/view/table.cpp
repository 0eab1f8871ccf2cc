#include "roofline/view/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

bool is_empty(const TableCell& cell) { return cell.text.empty() || cell.text == "-"; }

std::string in_tone(const std::string& line, const std::string& tone, bool colours) {
  if (tone.empty()) return line;
  return coloured(line,
                  tone == "bad"    ? Colour::red
                  : tone == "good" ? Colour::green
                                   : Colour::yellow,
                  colours);
}

/// A text that begins like a formula gets an apostrophe, because spreadsheets would execute it.
std::string csv_cell(const TableCell& cell) {
  if (std::isfinite(cell.key)) return fmt::format("{}", cell.key);
  if (is_empty(cell)) return {};
  std::string text = visible(cell.text);
  if (std::string_view("=+-@").find(text.front()) != std::string_view::npos)
    text.insert(text.begin(), '\'');
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

namespace cell {

TableCell number(std::optional<double> value, const std::function<std::string(double)>& text) {
  return value ? TableCell{text(*value), *value} : TableCell{unknown_text};
}

TableCell seconds(std::optional<double> value) { return number(value, describe_seconds); }

TableCell percent(std::optional<double> value, int decimals) {
  return number(value, [decimals](double x) { return percent_text(x, decimals); });
}

TableCell times(std::optional<double> factor) { return number(factor, times_text); }

TableCell rate(std::optional<double> value, const std::string& unit) {
  return number(value, [&unit](double x) { return describe_rate(x, unit); });
}

TableCell prefixed(std::optional<double> value, const std::string& unit) {
  return number(value, [&unit](double x) { return with_prefix(x, unit); });
}

TableCell short_number(std::optional<double> value) {
  return number(value, roofline::short_number);
}

TableCell integer(std::int64_t value) {
  return {std::to_string(value), static_cast<double>(value)};
}

TableCell scientific(std::optional<double> value, int decimals) {
  return number(value, [decimals](double x) { return fmt::format("{:.{}e}", x, decimals); });
}

}  // namespace cell

std::string tag_text(const std::string& choice) {
  return replaced(choice, {{';', ","}, {'=', ":"}});
}

std::string tags_text(const Tags& tags) {
  std::string text;
  for (const auto& [name, value] : tags)
    if (name != "variant")
      text += fmt::format("{}{}={}", text.empty() ? "" : ";", name, tag_text(value));
  return text;
}

ViewTable without_empty_columns(ViewTable table) {
  for (std::size_t i = table.columns.size(); i-- > 0;) {
    if (std::ranges::any_of(table.rows,
                            [i](const TableRow& row) { return !is_empty(row.cells.at(i)); }))
      continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    table.columns.erase(table.columns.begin() + at);
    for (TableRow& row : table.rows) row.cells.erase(row.cells.begin() + at);
  }
  return table;
}

std::string terminal_text(const ViewTable& table, bool colours, std::size_t width) {
  std::vector<Table::Column> columns;
  for (const TableColumn& column : table.columns)
    columns.push_back(
        {column.title, column.align == Align::left ? Table::Align::left : Table::Align::right});
  Table layout(columns);
  for (const TableRow& row : table.rows) {
    std::vector<std::string> cells;
    for (const TableCell& cell : row.cells) cells.push_back(cell.text);
    layout.add(std::move(cells), [&row, colours](const std::string& line) {
      return in_tone(line, row.tone, colours);
    });
  }
  std::string text = layout.text();
  for (const std::string& note : table.notes) text.append(wrapped(note, width, 0)).append("\n");
  return text;
}

std::string csv_text(const ViewTable& table) {
  std::string text;
  for (const TableColumn& column : table.columns)
    text.append(text.empty() ? "" : ",").append(csv_cell({column.name}));
  text += "\n";
  for (const TableRow& row : table.rows) {
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      text.append(i == 0 ? "" : ",").append(csv_cell(row.cells[i]));
    text += "\n";
  }
  return text;
}

}  // namespace roofline
