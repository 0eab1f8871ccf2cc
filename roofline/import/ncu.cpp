// Nsight Compute's CSV: `--page raw`, a row for each launch, a column for each counter, the units
// in the second row; or, from older versions and without that option, a row for each counter; or a
// summary, a row for each counter of all launches of a kernel in a shape.
//
// What else stands in a file is passed over: lines of the program, of its batch system and of ncu.
// Each line of a table may have a prefix, such as the rank that mpirun and srun write.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/import/numbers.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

constexpr const char* remedy =
    "export it again: ncu --import REPORT --csv --page raw --print-units base";

constexpr const char* name_of_device = "device__attribute_display_name";

bool is_counter(const std::string& name) {
  return name.find("__") != std::string::npos && !name.starts_with("device__");
}

/// True of counters that mean nothing without their unit.
bool needs_unit(const std::string& name) {
  return name.find("time_duration") != name.npos || name.find("bytes") != name.npos;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of("0123456789", at), text.size()) - at;
}

/// How the lines of a table are written.
struct LineForm {
  std::string prefix;  ///< of its header: "0: ", "[1,3]<stdout>:"
  char separator = ',';
  bool quoted = false;  ///< the cells of its header
  std::size_t cells = 0;
};

/// The form where the line is a header.
std::optional<LineForm> form_of(std::string_view line) {
  if (line.find("Kernel Name") == line.npos) return std::nullopt;
  LineForm form;
  std::size_t begin = line.npos;
  for (const std::string_view first : {"\"ID\"", "\"Process ID\"", "ID", "Process ID"}) {
    const std::size_t at = line.find(first);
    const std::size_t end = at + first.size();
    if (at >= begin || end >= line.size()) continue;
    if (std::string_view(",;\t|").find(line[end]) == line.npos) continue;
    begin = at;
    form.separator = line[end];
    form.quoted = first.front() == '"';
  }
  if (begin == line.npos) return std::nullopt;
  form.prefix = line.substr(0, begin);
  // An index without a name, as scripts add it, is a column.
  std::string_view cell = form.prefix;
  if (cell.ends_with(form.separator)) cell.remove_suffix(1);
  if (cell.size() < begin && (cell.empty() || cell == "\"\"")) form.prefix.clear();
  form.cells = separators_in(line.substr(form.prefix.size()), form.separator) + 1;
  return form;
}

/// The length of a prefix like this one, with any numbers in it; nothing where the line has none.
std::optional<std::size_t> prefix_of(std::string_view line, std::string_view like) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < like.size(); ++i) {
    if (is_digit(like[i]) || like[i] == ' ')
      while (at < line.size() && line[at] == ' ') ++at;
    if (like[i] == ' ') continue;
    const std::size_t digits = digits_at(line, at);
    if (is_digit(like[i]) ? digits == 0 : at >= line.size() || line[at] != like[i])
      return std::nullopt;
    at += is_digit(like[i]) ? digits : 1;
    if (is_digit(like[i])) i += digits_at(like, i) - 1;
  }
  return at;
}

/// Whether the line, without its prefix, begins with the number of a launch, or with none as the
/// row of units does, and not like a line of the program.
bool is_row(std::string_view line, const LineForm& form) {
  const bool quoted = line.starts_with('"');
  std::size_t end = (quoted ? 1 : 0);
  end += digits_at(line, end);
  if (quoted && (end >= line.size() || line[end++] != '"')) return false;
  if (end >= line.size() || line[end] != form.separator) return false;
  if (quoted) return true;
  const std::size_t cells = separators_in(line, form.separator) + 1;
  return form.quoted ? cells == form.cells : 2 * cells >= form.cells;
}

/// A header, and the table below it.
struct Header {
  std::size_t table = 0;  ///< from 0, in the order of the file
  LineForm form;
  CsvRow row;
  std::map<std::string, std::size_t> columns;

  /// The column of that name, or the end of the row.
  std::size_t place(const char* column) const {
    const auto at = columns.find(column);
    return at == columns.end() ? row.cells.size() : at->second;
  }
  bool has(const char* column) const { return columns.contains(column); }
  /// Of a table with a row for each counter: where values stand. A summary has averages.
  std::size_t value() const { return place(has("Metric Value") ? "Metric Value" : "Average"); }
};

/// Calls visit(header, row) for each row of each table of the file.
template <typename Visit>
void for_each_row(std::string_view text, const std::string& file, const Visit& visit) {
  CsvReader reader(text, file);
  std::vector<Header> headers;
  std::size_t tables = 0;
  while (!reader.at_end()) {
    const std::string_view line = reader.next_line();
    if (const std::optional<LineForm> form = form_of(line)) {
      reader.separate_by(form->separator);
      reader.skip(form->prefix.size());
      CsvRow row = reader.row();
      std::erase_if(headers,
                    [&form](const Header& one) { return one.form.prefix == form->prefix; });
      auto columns = columns_of(row, file, remedy);
      headers.push_back({tables++, *form, std::move(row), std::move(columns)});
      continue;
    }
    // The table whose lines begin so; else the last whose lines begin alike.
    const Header* table = nullptr;
    std::size_t prefix = 0;
    for (const Header& header : headers)
      if (const auto length = prefix_of(line, header.form.prefix);
          length && is_row(line.substr(*length), header.form) &&
          (table == nullptr || !line.starts_with(table->form.prefix))) {
        table = &header;
        prefix = *length;
      }
    if (table == nullptr) {
      reader.skip_line();
      continue;
    }
    reader.separate_by(table->form.separator);
    reader.skip(prefix);
    visit(*table, reader.row());
  }
}

/// "1,234" of "1,234 (1,000; 234)": with --print-metric-instances the parts of a value follow it.
std::string_view without_instances(std::string_view cell) {
  const std::size_t parts = cell.find(" (");
  return cell.ends_with(')') && parts != cell.npos ? cell.substr(0, parts) : cell;
}

/// How the file writes its numbers. Throws InputError where it has no counters.
NumberStyle style_of(std::string_view text, const std::string& file) {
  StyleFinder finder;
  bool any_counter = false, any_row = false;
  for_each_row(text, file, [&](const Header& header, const CsvRow& row) {
    const auto look = [&](const std::string& name, std::size_t value) {
      if (value >= row.cells.size() || !is_counter(name)) return;
      any_counter = true;
      finder.look_at(without_instances(row.cells[value]), row.line);
    };
    const std::size_t name = header.place("Metric Name"), number = header.place("ID");
    const bool units = number < row.cells.size() && row.cells[number].empty();
    any_row |= name < row.cells.size() || !units;
    if (name < row.cells.size()) return look(row.cells[name], header.value());
    if (units) return;
    for (std::size_t i = 0; i < header.row.cells.size(); ++i) look(header.row.cells[i], i);
  });
  if (!any_row)
    throw InputError(
        fmt::format("{}: the table holds no launch of a kernel; did the program launch "
                    "one, and was it not filtered out?",
                    visible(file)));
  if (!any_counter)
    throw InputError(fmt::format("{}: a table without counters, as --page details writes it; {}",
                                 visible(file), remedy));
  return finder.style(file);
}

/// Takes the rows below headers, which become launches.
class TableReader {
 public:
  TableReader(const std::string& file, NumberStyle style, Names& names)
      : file_(file), style_(style), names_(names) {}

  void take(const Header& header, const CsvRow& row) {
    // A row for each counter may end behind its value: what rules say is left out.
    const std::size_t all = header.row.cells.size();
    const std::size_t least = header.has("Metric Name") ? header.value() + 1 : all;
    if (row.cells.size() < std::min(least, all) || row.cells.size() > all)
      refuse_line(
          file_, row.line,
          fmt::format("{} cells below a header of {}: the file is cut off or was edited; {}",
                      row.cells.size(), all, remedy));
    tables_.resize(std::max(tables_.size(), header.table + 1));
    if (header.has("Metric Name"))
      take_counter(header, row);
    else if (cell(header, row, "ID").empty())
      tables_[header.table].units = row.cells;
    else
      take_launch(header, row);
  }

  /// Tables that count the same are one.
  std::vector<ImportedTable> tables() {
    std::vector<ImportedTable> list;
    std::vector<std::set<std::size_t>> counted;
    for (OneTable& one : tables_) {
      const auto same = std::ranges::find(counted, one.counted);
      if (same == counted.end()) {
        counted.push_back(one.counted);
        list.push_back(std::move(one.table));
        list.back().file = file_;
        continue;
      }
      ImportedTable& other = list[static_cast<std::size_t>(same - counted.begin())];
      std::ranges::move(one.table.launches, std::back_inserter(other.launches));
      other.devices.merge(one.table.devices);
      other.bad.merge(one.table.bad);
    }
    return list;
  }

 private:
  struct OneTable {
    ImportedTable table;
    std::vector<std::string> units;
    std::map<std::string, std::size_t> places;    ///< of launches
    std::vector<std::vector<std::size_t>> lines;  ///< of their values
    std::set<std::size_t> counted;
  };

  const std::string& cell(const Header& header, const CsvRow& row, const char* column) const {
    const std::size_t at = header.place(column);
    if (at == header.row.cells.size())
      refuse_line(file_, header.row.line,
                  fmt::format("there is no column '{}'; {}", column, remedy));
    return row.cells[at];
  }

  std::string cell_or_none(const Header& header, const CsvRow& row, const char* column) const {
    const std::size_t at = header.place(column);
    return at < row.cells.size() ? row.cells[at] : "";
  }

  std::string shape_of(const Header& header, const CsvRow& row) const {
    std::string shape;
    for (const char* column : {"Block Size", "Grid Size"})
      for (const char letter : cell_or_none(header, row, column))
        if (is_digit(letter) || letter == ',') shape += letter;
    return shape;
  }

  /// The place of the row's launch, and whether it is the first row of it.
  std::pair<std::size_t, bool> place_of(const Header& header, const CsvRow& row) {
    OneTable& one = tables_[header.table];
    const bool summary = header.has("Invocations");
    const std::string kernel = demangled(cell(header, row, "Kernel Name"));
    const std::string shape = shape_of(header, row);
    std::string key = cell_or_none(header, row, "Process ID") + "/";
    key += summary ? kernel + "/" + shape : cell(header, row, "ID");
    const auto [at, is_new] = one.places.emplace(std::move(key), one.table.launches.size());
    if (!is_new) return {at->second, false};
    ImportedLaunch launch{names_.id(visible(kernel)), names_.id(shape), 0, 1, {}, {}};
    const char* const count = summary ? "Invocations" : "ID";
    const auto number = number_in(cell(header, row, count), style_);
    if (summary) launch.launches = number && *number >= 1 && *number < 1e15 ? *number : 1;
    if (!summary && number) launch.number = *number;
    one.table.launches.push_back(std::move(launch));
    one.lines.emplace_back();
    take_value(one, at->second, compute_capability,
               {cell_or_none(header, row, compute_capability), ""}, row.line);
    return {at->second, true};
  }

  void take_launch(const Header& header, const CsvRow& row) {
    const std::vector<std::string>& units = tables_[header.table].units;
    if (units.empty())
      refuse_line(file_, row.line,
                  fmt::format("no row of units stands between the header, in line {}, and this "
                              "launch: nobody can tell ns from s; {}",
                              header.row.line, remedy));
    const auto [place, is_new] = place_of(header, row);
    if (!is_new)
      refuse_line(file_, row.line,
                  fmt::format("the launch with ID {} stands twice: which one counts? {}",
                              visible(cell(header, row, "ID")), remedy));
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      if (header.row.cells[i] != compute_capability)
        take_value(tables_[header.table], place, header.row.cells[i], {row.cells[i], units[i]},
                   row.line);
  }

  /// Rows of one launch share its number.
  void take_counter(const Header& header, const CsvRow& row) {
    const std::size_t place = place_of(header, row).first;
    OneTable& one = tables_[header.table];
    const std::string& kernel = names_[one.table.launches[place].kernel];
    const std::string& named = cell(header, row, "Kernel Name");
    if (kernel != visible(demangled(named)))
      refuse_line(file_, row.line,
                  fmt::format("the launch with ID {} is of kernel '{}' here, and of '{}' before: "
                              "the file was edited, or holds two tables; {}",
                              visible(cell(header, row, "ID")), visible(named), kernel, remedy));
    const std::string& name = cell(header, row, "Metric Name");
    const Cell value{row.cells[header.value()], cell_or_none(header, row, "Metric Unit")};
    if (const std::size_t other = take_value(one, place, name, value, row.line); other != 0)
      refuse_line(
          file_, row.line,
          fmt::format("'{}' of the launch with ID {} has another value in line {}: which "
                      "one counts? {}",
                      visible(name), visible(cell_or_none(header, row, "ID")), other, remedy));
  }

  struct Cell {
    std::string_view text, unit;
  };

  /// Takes a value in base units, or notes why it is none. Returns the line that has another one.
  std::size_t take_value(OneTable& one, std::size_t place, const std::string& name,
                         const Cell& cell, std::size_t line) {
    if (name == name_of_device && !cell.text.empty()) one.table.devices.insert(visible(cell.text));
    if (!is_ncu_counter(name)) return 0;
    const std::size_t id = names_.id(name);
    ImportedLaunch& launch = one.table.launches[place];
    one.counted.insert(id);
    const auto number = number_in(without_instances(cell.text), style_);
    const auto factor = unit_factor(cell.unit);
    std::string why;
    if (!number)
      why = fmt::format("'{}' in line {} is no number", visible(cell.text), line);
    else if (*number < 0)
      why = fmt::format("{} in line {} is below zero", visible(cell.text), line);
    else if (needs_unit(name) && trimmed(cell.unit).empty())
      why = fmt::format("it has no unit in line {}; {}", line, remedy);
    else if (!factor)
      why = fmt::format("its unit '{}' is not known", visible(cell.unit));
    else if (!bounds::finite.hold(*number * *factor))
      why = fmt::format("{} in line {} is too large", visible(cell.text), line);
    if (!why.empty()) {
      one.table.bad.emplace(std::pair(launch.kernel, id), std::move(why));
      return 0;
    }
    std::vector<std::size_t>& lines = one.lines[place];
    for (std::size_t i = 0; i < launch.values.size(); ++i)
      if (launch.values[i].first == id)
        return launch.values[i].second == *number * *factor ? 0 : lines[i];
    launch.values.emplace_back(id, *number * *factor);
    lines.push_back(line);
    return 0;
  }

  const std::string& file_;
  NumberStyle style_;
  Names& names_;
  std::vector<OneTable> tables_;
};

}  // namespace

bool is_ncu_table(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (form_of(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

std::vector<ImportedTable> read_ncu_tables(std::string_view text, const std::string& file,
                                           Names& names) {
  TableReader reader(file, style_of(text, file), names);
  for_each_row(text, file,
               [&](const Header& header, const CsvRow& row) { reader.take(header, row); });
  return reader.tables();
}

}  // namespace roofline
