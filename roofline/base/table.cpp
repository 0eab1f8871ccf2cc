#include "roofline/base/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "roofline/base/text.h"

namespace roofline {
namespace {

/// The width of a text on a terminal: the number of bytes that start a UTF-8 character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// One line of a terminal: a text per column, which `text_of` gives by the column's number.
template <class TextOf>
std::string line_of(const Table& table, const std::vector<std::size_t>& widths,
                    const TextOf& text_of) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string& text = text_of(i);
    const std::string padding(widths[i] - width_of(text), ' ');
    line += i > 0 ? "  " : "";
    line += table.columns[i].align == Align::left ? text + padding : padding + text;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

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

Table without_empty_columns(Table table) {
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

void Table::add(const std::vector<std::string>& texts, const std::string& tone) {
  if (texts.size() != columns.size()) throw std::logic_error("a row needs a cell per column");
  TableRow& row = rows.emplace_back(TableRow{{}, {}, tone});
  for (const std::string& text : texts) row.cells.push_back({text});
}

Table plain_table(const std::vector<Title>& titles) {
  Table table;
  for (const Title& title : titles) table.columns.push_back({"", title.text, "", "", title.align});
  return table;
}

std::string terminal_text(const Table& table, bool colours, std::size_t width) {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::size_t widest = width_of(table.columns[i].title);
    for (const TableRow& row : table.rows)
      widest = std::max(widest, width_of(row.cells.at(i).text));
    widths.push_back(widest);
    total += widest + (i > 0 ? 2 : 0);
  }
  const auto title = [&](std::size_t i) -> const std::string& { return table.columns[i].title; };
  std::string text = fmt::format("{}\n{:-<{}}\n", line_of(table, widths, title), "", total);
  for (const TableRow& row : table.rows) {
    const auto cell = [&](std::size_t i) -> const std::string& { return row.cells[i].text; };
    text += in_tone(line_of(table, widths, cell), row.tone, colours) + "\n";
  }
  for (const std::string& note : table.notes) text.append(wrapped(note, width, 0)).append("\n");
  return text;
}

std::string csv_text(const Table& table) {
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

nlohmann::ordered_json rows_json(const Table& table) {
  auto rows = nlohmann::ordered_json::array();
  for (const TableRow& row : table.rows) {
    nlohmann::ordered_json& object = rows.emplace_back(nlohmann::ordered_json::object());
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      nlohmann::ordered_json& value = object[table.columns[i].name];
      if (std::isfinite(row.cells[i].key))
        value = row.cells[i].key;
      else if (row.cells[i].text != unknown_text)
        value = row.cells[i].text;
    }
  }
  return rows;
}

}  // namespace roofline
