// Nsight Compute's CSV: `--page raw`, a row for each launch, a column for each counter, the units
// in the second row; or, from older versions and without that option, a row for each counter; or a
// summary, a row for each counter of all launches of a kernel in a shape.
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

/// "1,234" of "1,234 (1,000; 234)": with --print-metric-instances the parts of a value follow it.
std::string_view without_instances(std::string_view cell) {
  const std::size_t parts = cell.find(" (");
  return cell.ends_with(')') && parts != cell.npos ? cell.substr(0, parts) : cell;
}

/// The value of one counter in a row of its own. A summary has averages.
const std::string* value_in(const TableHeader& header, const CsvRow& row) {
  return header.find(row, {"Metric Value", "Average"});
}

bool has_units(const TableHeader& header, const CsvRow& row) {
  const std::string* number = header.find(row, {"ID"});
  return number != nullptr && number->empty();
}

/// How the file writes its numbers. Throws InputError where it has no counters.
NumberStyle style_of(std::string_view text, const std::string& file) {
  StyleFinder finder;
  bool any_counter = false, any_row = false;
  for_each_row(text, file, remedy, [&](const TableHeader& header, const CsvRow& row) {
    const auto look = [&](const std::string& name, const std::string* value) {
      if (value == nullptr || !is_counter(name)) return;
      any_counter = true;
      finder.look_at(without_instances(*value), row.line);
    };
    const std::string* name = header.find(row, {"Metric Name"});
    any_row |= name != nullptr || !has_units(header, row);
    if (name != nullptr) return look(*name, value_in(header, row));
    if (has_units(header, row)) return;
    for (std::size_t i = 0; i < row.cells.size(); ++i) look(header.row.cells[i], &row.cells[i]);
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

  void take(const TableHeader& header, const CsvRow& row) {
    tables_.resize(std::max(tables_.size(), header.table + 1));
    if (header.find(row, {"Metric Name"}) != nullptr)
      take_counter(header, row);
    else if (has_units(header, row))
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

  const std::string& cell(const TableHeader& header, const CsvRow& row, const char* column) const {
    if (const std::string* found = header.find(row, {column})) return *found;
    refuse_line(file_, header.row.line, fmt::format("there is no column '{}'; {}", column, remedy));
  }

  static std::string cell_or_none(const TableHeader& header, const CsvRow& row,
                                  const char* column) {
    const std::string* found = header.find(row, {column});
    return found == nullptr ? "" : *found;
  }

  static std::string shape_of(const TableHeader& header, const CsvRow& row) {
    std::string shape;
    for (const char* column : {"Block Size", "Grid Size"})
      for (const char letter : cell_or_none(header, row, column))
        if (is_digit(letter) || letter == ',') shape += letter;
    return shape;
  }

  /// The place of the row's launch, and whether it is the first row of it.
  std::pair<std::size_t, bool> place_of(const TableHeader& header, const CsvRow& row) {
    OneTable& one = tables_[header.table];
    const bool summary = header.columns.contains("Invocations");
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

  void take_launch(const TableHeader& header, const CsvRow& row) {
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
  void take_counter(const TableHeader& header, const CsvRow& row) {
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
    const std::string unit = cell_or_none(header, row, "Metric Unit");
    const std::string* text = value_in(header, row);
    const Cell value{text == nullptr ? "" : std::string_view(*text), unit};
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

std::vector<ImportedTable> read_ncu_tables(std::string_view text, const std::string& file,
                                           Names& names) {
  TableReader reader(file, style_of(text, file), names);
  for_each_row(text, file, remedy, [&reader](const TableHeader& header, const CsvRow& row) {
    reader.take(header, row);
  });
  return reader.tables();
}

}  // namespace roofline
