// Launches in the tables of Nsight Compute and of AMD's profilers, and those of several tables of
// one program, which each hold some of the counters. A row is a launch, with a column for each
// counter; or a counter of a launch, or of all launches of a kernel in a shape. Nsight Compute's
// wide tables have the units in their second row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <iterator>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

/// What to do about a table of that kind.
const char* remedy_of(TableKind kind) {
  return kind == TableKind::ncu
             ? "export it again: ncu --import REPORT --csv --page raw --print-units base"
             : "write it anew";
}

/// The counter of a row of its own; nullptr in a row of a launch.
const std::string* counter_of(const TableHeader& header, const CsvRow& row) {
  return header.find(row, {"Metric Name", "Counter_Name"});
}

/// Its value. A summary has averages.
std::string value_of_counter(const TableHeader& header, const CsvRow& row) {
  return header.text(row, {"Metric Value", "Average", "Counter_Value"});
}

bool has_units(const TableHeader& header, const CsvRow& row) {
  const std::string* number = header.find(row, {"ID"});
  return counter_of(header, row) == nullptr && number != nullptr && number->empty();
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

/// Without the suffix of its symbol, which some of AMD's programs leave away.
std::string kernel_in(std::string_view cell) {
  for (const std::string_view suffix : {" [clone .kd]", " (.kd)", ".kd"})
    if (cell.ends_with(suffix)) cell.remove_suffix(suffix.size());
  return visible(demangled(std::string(cell)));
}

/// The first of the columns that the row has, as a number.
using Numbers = std::function<std::optional<double>(std::initializer_list<const char*>)>;

/// A block and a grid; of AMD's the numbers of threads, whichever way they are told.
std::string shape_in(const std::string& of_ncu, const Numbers& number) {
  std::string shape;
  std::ranges::copy_if(of_ncu, std::back_inserter(shape),
                       [](char letter) { return is_digit(letter) || letter == ','; });
  if (!shape.empty()) return shape;
  const auto threads = [&](std::optional<double> whole, const std::string& sides) {
    double product = 1;
    for (const char* side : {"_X", "_Y", "_Z"})
      product *= number({(sides + side).c_str()}).value_or(0);
    return whole.value_or(product);
  };
  const double grid = threads(number({"Grid_Size", "grd"}), "Grid_Size");
  const double group = threads(number({"Workgroup_Size", "wgr"}), "Workgroup_Size");
  return grid > 0 && group > 0 ? fmt::format("{}/{}", grid, group) : "";
}

/// How long a dispatch took, by AMD's time stamps in ns.
std::optional<double> seconds_of(const Numbers& number) {
  const double ns = number({"DurationNs"})
                        .value_or(number({"End_Timestamp", "EndNs"}).value_or(0) -
                                  number({"Start_Timestamp", "BeginNs"}).value_or(NAN));
  return ns > 0 ? std::optional(ns * 1e-9) : std::nullopt;
}

/// How the file writes its numbers, by all of them together: '.' or ',' before the decimals.
/// Without evidence '.' is decimal.
char decimal_in(std::string_view text, const std::string& file, TableKind kind) {
  std::map<char, std::string> told;  // the first cell of each
  for_each_row(text, file, remedy_of(kind), [&](const TableHeader& header, const CsvRow& row) {
    if (has_units(header, row)) return;
    const auto look = [&](const std::string& name, const std::string& value) {
      // Of AMD's tables: where commas separate no cells, they may be decimal.
      if (kind == TableKind::ncu ? name.find("__") != name.npos && !name.starts_with("device__")
                                 : header.form.separator != ',')
        if (const char decimal = decimal_of(without_instances(value)); decimal != 0)
          told.try_emplace(decimal, fmt::format("'{}' in line {}", visible(value), row.line));
    };
    if (const std::string* name = counter_of(header, row))
      return look(*name, value_of_counter(header, row));
    for (std::size_t i = 0; i < row.cells.size(); ++i) look(header.row.cells[i], row.cells[i]);
  });
  if (told.size() > 1)
    refuse_file(file, fmt::format("numbers are written in two ways: {}, {}; write the file in one "
                                  "locale: LC_ALL=C",
                                  told['.'], told[',']));
  return told.empty() ? '.' : told.begin()->first;
}

/// Takes the rows below headers, which become launches.
class LaunchReader {
 public:
  LaunchReader(const std::string& file, TableKind kind, char decimal)
      : file_(file), kind_(kind), decimal_(decimal) {}

  void take(const TableHeader& header, const CsvRow& row) {
    tables_.resize(std::max(tables_.size(), header.table + 1));
    OneTable& one = tables_[header.table];
    if (has_units(header, row)) {
      one.units = row.cells;
      return;
    }
    const std::string* counter = counter_of(header, row);
    if (counter == nullptr && kind_ == TableKind::ncu && one.units.empty())
      refuse(row, fmt::format("no row of units stands between the header, in line {}, and this "
                              "launch: nobody can tell ns from s",
                              header.row.line));
    ImportedLaunch& launch = launch_of(header, row, one);
    take_value(one, launch, compute_capability, header.text(row, {compute_capability}), "", row);
    if (counter != nullptr)
      return take_value(one, launch, *counter, value_of_counter(header, row),
                        header.text(row, {"Metric Unit"}), row);
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      take_value(one, launch, header.row.cells[i], row.cells[i],
                 one.units.empty() ? "" : one.units[i], row);
  }

  /// Tables that count the same are one. Throws InputError where they hold nothing.
  std::vector<ImportedTable> tables() {
    const auto empty = [](const OneTable& one) { return one.table.launches.empty(); };
    if (std::ranges::all_of(tables_, empty))
      refuse_file(file_,
                  "the table holds no launch of a kernel; did the program launch one, and was it "
                  "not filtered out?");
    const auto uncounted = [](const OneTable& one) { return one.counted.size() < 2; };
    if (kind_ == TableKind::ncu && std::ranges::all_of(tables_, uncounted))
      refuse_file(file_, fmt::format("none of its counters is known here; {}", remedy_of(kind_)));
    std::map<std::set<std::string_view>, std::size_t> places;  // by what they count
    std::vector<ImportedTable> list;
    for (OneTable& one : tables_) {
      const auto [same, is_new] = places.emplace(one.counted, list.size());
      if (is_new) {
        list.push_back(std::move(one.table));
        list.back().file = file_;
        list.back().times_only = kind_ == TableKind::times;
        continue;
      }
      ImportedTable& other = list[same->second];
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
    std::map<std::string, std::size_t> places;  ///< of launches
    std::set<std::string_view> counted;         ///< of Nsight Compute always CC, too
  };

  [[noreturn]] void refuse(const CsvRow& row, const std::string& what) const {
    refuse_line(file_, row.line, fmt::format("{}; {}", what, remedy_of(kind_)));
  }

  /// The launch of the row. Rows of several counters share it.
  ImportedLaunch& launch_of(const TableHeader& header, const CsvRow& row, OneTable& one) {
    const bool summary = header.columns.contains("Invocations");
    const std::string number = header.text(row, {"ID", "Dispatch_ID", "Dispatch_Id", "Index"});
    const std::string* name = header.find(row, {"Kernel Name", "Kernel_Name", "KernelName"});
    if (name == nullptr || (kind_ == TableKind::ncu && number.empty() && !summary))
      refuse(row, "no column tells the kernel, or the ID of its launch");
    const std::string kernel = kernel_in(*name);
    const Numbers numbers = [&](std::initializer_list<const char*> columns) {
      return number_in(header.text(row, columns), decimal_);
    };
    const std::string shape =
        shape_in(header.text(row, {"Block Size"}) + header.text(row, {"Grid Size"}), numbers);
    const std::string launch = summary          ? fmt::format("{}/{}", kernel, shape)
                               : number.empty() ? fmt::format("row {}", one.places.size())
                                                : number;
    const std::string key =
        fmt::format("{}/{}/{}", header.text(row, {"Process ID", "pid", "PID", "Process_Id"}),
                    header.text(row, {"GPU_ID", "gpu-id", "Agent_Id"}), launch);
    std::vector<ImportedLaunch>& launches = one.table.launches;
    const auto [at, is_new] = one.places.emplace(key, launches.size());
    if (is_new) {
      const double count = numbers({"Invocations"}).value_or(1);
      launches.push_back(
          {kernel, shape, count >= 1 && count < 1e15 ? count : 1, seconds_of(numbers), {}});
      return launches.back();
    }
    if (counter_of(header, row) == nullptr || launches[at->second].kernel != kernel)
      refuse(row, fmt::format("launch {} stands twice: which one counts", visible(launch)));
    return launches[at->second];
  }

  /// Takes a value in base units, or notes why it is none.
  void take_value(OneTable& one, ImportedLaunch& launch, const std::string& name,
                  std::string_view text, std::string_view unit, const CsvRow& row) {
    if (name == "device__attribute_display_name" && !text.empty())
      one.table.devices.insert(visible(text));
    const std::string_view kept = known_counter(name, kind_ == TableKind::ncu);
    if (kept.empty()) return;
    one.counted.insert(kept);
    const auto number = number_in(without_instances(text), decimal_);
    const auto factor = unit_factor(unit);
    std::string why;
    if (!number || *number < 0)
      why = fmt::format("'{}' in line {} is {}", visible(text), row.line,
                        number ? "below zero" : "no number");
    else if (needs_unit(name) && trimmed(unit).empty())
      why = fmt::format("it has no unit in line {}; {}", row.line, remedy_of(kind_));
    else if (!factor)
      why = fmt::format("its unit '{}' is not known", visible(unit));
    else if (!bounds::finite.hold(*number * *factor))
      why = fmt::format("{} in line {} is too large", visible(text), row.line);
    if (!why.empty()) {
      one.table.bad.emplace(std::pair(launch.kernel, kept), std::move(why));
      return;
    }
    const double* known = launch.find(kept);
    if (known == nullptr)
      launch.values.emplace_back(kept, *number * *factor);
    else if (*known != *number * *factor)
      refuse(row, fmt::format("'{}' of this launch has another value before: which one counts",
                              visible(name)));
  }

  const std::string& file_;
  TableKind kind_;
  char decimal_;
  std::vector<OneTable> tables_;
};

/// The launch of each of `more` among `all`, by kernel and shape in their order; nothing where
/// there is none.
std::vector<std::optional<std::size_t>> matches_of(const ImportedTable& more,
                                                   const ImportedTable& all) {
  const auto shaped = [](const ImportedLaunch& one) { return !one.shape.empty(); };
  const bool by_shape =
      std::ranges::all_of(all.launches, shaped) && std::ranges::all_of(more.launches, shaped);
  using Key = std::pair<std::string_view, std::string_view>;
  const auto key_of = [by_shape](const ImportedLaunch& one) {
    return Key(one.kernel, by_shape ? one.shape : "");
  };
  std::map<Key, std::deque<std::size_t>> ours;
  for (std::size_t i = 0; i < all.launches.size(); ++i) ours[key_of(all.launches[i])].push_back(i);
  std::vector<std::optional<std::size_t>> matches;
  for (const ImportedLaunch& one : more.launches) {
    std::deque<std::size_t>& left = ours[key_of(one)];
    matches.push_back(left.empty() ? std::nullopt : std::optional(left.front()));
    if (!left.empty()) left.pop_front();
  }
  return matches;
}

std::string shown_kernel(std::string_view kernel) { return short_name(std::string(kernel)); }

/// What two tables of the same launches contradict each other in, most.
struct Contradiction {
  double share = 0;
  std::string what;

  void look(double ours, double theirs, std::string_view name, std::string_view kernel) {
    const double apart = std::abs(theirs - ours) / std::max(std::abs(ours), std::abs(theirs));
    if (!(apart > share)) return;
    share = apart;
    what = fmt::format("{} of {}: {:.6g} and {:.6g}", name, shown_kernel(kernel), ours, theirs);
  }
};

/// Adds what one table tells of a launch to what another does; true where that is more.
bool merge(const ImportedLaunch& from, ImportedLaunch& to, Contradiction& contradiction) {
  if (from.launches != to.launches)
    throw InputError(
        fmt::format("{} is in a summary, and in a table that is none, or of other "
                    "launches: import them one by one",
                    shown_kernel(to.kernel)));
  if (from.seconds && to.seconds)
    contradiction.look(*to.seconds, *from.seconds, "the time", to.kernel);
  if (!to.seconds) to.seconds = from.seconds;
  const std::size_t before = to.values.size();
  for (const auto& [name, value] : from.values)
    if (const double* known = to.find(name))
      contradiction.look(*known, value, name, to.kernel);
    else
      to.values.emplace_back(name, value);
  return to.values.size() > before;
}

/// Takes times of a run that counted nothing, if it launched the same.
void take_times(const ImportedTable& times, ImportedTable& all, std::vector<std::string>& notes) {
  const auto matches = matches_of(times, all);
  if (matches.size() != all.launches.size() ||
      !std::ranges::all_of(matches, [](const auto& one) { return bool(one); })) {
    notes.push_back(visible(times.file) + " has times of other launches: not taken.");
    return;
  }
  for (std::size_t i = 0; i < matches.size(); ++i)
    all.launches[*matches[i]].seconds = times.launches[i].seconds;
}

void join(ImportedTable& more, ImportedTable& all, std::vector<std::string>& notes) {
  const auto matches = matches_of(more, all);
  const std::size_t before = all.launches.size();
  std::size_t matched = 0;
  bool any_more = false;
  Contradiction contradiction;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    matched += matches[i] ? 1 : 0;
    if (matches[i])
      any_more |= merge(more.launches[i], all.launches[*matches[i]], contradiction);
    else
      all.launches.push_back(std::move(more.launches[i]));
  }
  const std::string files = fmt::format("{} and {}", visible(all.file), visible(more.file));
  if (contradiction.share > 0 && !any_more)
    throw InputError(
        fmt::format("{} have the same counters of the same launches with other values "
                    "({}): a second run, or another rank; import them one by one",
                    files, contradiction.what));
  if (contradiction.share > 0)
    notes.push_back(
        fmt::format("{} contradict each other by up to {} ({}): the first value counts.", files,
                    percent_text(100 * contradiction.share), contradiction.what));
  if (matched > 0 && (matched != matches.size() || matched != before))
    notes.push_back(
        fmt::format("{} share {} launches, and {} are in one of them alone: what not "
                    "all have is missing.",
                    files, matched, before + matches.size() - 2 * matched));
  all.bad.merge(more.bad);
  all.devices.merge(more.devices);
}

}  // namespace

std::vector<ImportedTable> read_launches(std::string_view text, const std::string& file,
                                         TableKind kind) {
  LaunchReader reader(file, kind, decimal_in(text, file, kind));
  for_each_row(
      text, file, remedy_of(kind),
      [&reader](const TableHeader& header, const CsvRow& row) { reader.take(header, row); });
  return reader.tables();
}

const double* ImportedLaunch::find(std::string_view name) const {
  const auto found = std::ranges::find(values, name, &std::pair<std::string_view, double>::first);
  return found == values.end() ? nullptr : &found->second;
}

ImportedTable joined(std::vector<ImportedTable> tables, std::vector<std::string>& notes) {
  std::ranges::stable_partition(tables,
                                [](const ImportedTable& table) { return !table.times_only; });
  ImportedTable all = std::move(tables.front());
  for (std::size_t i = 1; i < tables.size(); ++i)
    tables[i].times_only ? take_times(tables[i], all, notes) : join(tables[i], all, notes);
  return all;
}

std::vector<KernelProfile> by_kernel(ImportedTable& table, decltype(ncu_counts)& counts_of) {
  std::vector<KernelProfile> kernels;
  std::map<std::string_view, std::size_t> places;
  for (ImportedLaunch& launch : table.launches) {
    KernelProfile part = counts_of(launch, table);
    const auto [at, is_new] = places.emplace(launch.kernel, kernels.size());
    if (is_new) kernels.emplace_back().name = launch.kernel;
    KernelProfile& kernel = kernels[at->second];
    part.launches = static_cast<std::int64_t>(launch.launches);
    if (launch.seconds) part.seconds = *launch.seconds * launch.launches;
    for (auto& [name, value] : part.counters) value *= launch.launches;
    std::ranges::sort(part.notes);
    for (const std::string& note : part.notes)
      if (std::ranges::find(kernel.notes, note) == kernel.notes.end()) kernel.notes.push_back(note);
    part.notes.clear();
    add_part(part, kernel);
  }
  return kernels;
}

}  // namespace roofline
