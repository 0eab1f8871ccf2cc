// Nsight Compute's CSV: `--page raw`, a row for each launch, a column for each counter, the units
// in the second row; or, from older versions and without that option, a row for each counter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "roofline/base/csv.h"
#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/formula.h"
#include "roofline/import/numbers.h"
#include "roofline/import/tables.h"

namespace roofline {
namespace {

constexpr const char* remedy =
    "export it again: ncu --import REPORT --csv --page raw --print-units base";

constexpr const char* compute_capability = "CC";

/// The text of one counter of one launch.
struct Cell {
  std::string text, unit;
  std::size_t line = 0;
};

struct RawLaunch {
  std::string kernel;
  std::map<std::string, Cell> cells;
};

bool is_counter(const std::string& name) {
  return name.find("__") != std::string::npos && !name.starts_with("device__");
}

/// True of counters that mean nothing without their unit.
bool needs_unit(const std::string& name) {
  return name.find("time_duration") != name.npos || name.find("bytes") != name.npos;
}

bool is_header(std::string_view line) {
  return (line.starts_with("\"ID\",") || line.starts_with("ID,")) &&
         line.find("Kernel Name") != line.npos;
}

/// The rows below one header, which become launches.
class Table {
 public:
  Table(const CsvRow& header, const std::string& file, std::vector<RawLaunch>& launches)
      : header_(header),
        file_(file),
        columns_(columns_of(header, file, remedy)),
        launches_(launches) {}

  void take(const CsvRow& row) {
    // A row for each counter may end behind its value: what rules say is left out.
    const auto value = columns_.find("Metric Value");
    const std::size_t least = value == columns_.end() ? header_.cells.size() : value->second + 1;
    if (row.cells.size() < least || row.cells.size() > header_.cells.size())
      refuse_line(
          file_, row.line,
          fmt::format("{} cells below a header of {}: the file is cut off or was edited; {}",
                      row.cells.size(), header_.cells.size(), remedy));
    if (columns_.contains("Metric Name"))
      take_counter(row);
    else if (cell(row, "ID").empty())
      units_ = row.cells;
    else
      take_launch(row);
  }

 private:
  const std::string& cell(const CsvRow& row, const char* column) const {
    const auto at = columns_.find(column);
    if (at == columns_.end())
      refuse_line(file_, header_.line, fmt::format("there is no column '{}'; {}", column, remedy));
    return row.cells[at->second];
  }

  /// The place of the row's launch among the launches, and whether it is the first row of it.
  std::pair<std::size_t, bool> place_of(const CsvRow& row) {
    const std::string process = columns_.contains("Process ID") ? cell(row, "Process ID") : "";
    const auto [at, is_new] = places_.emplace(process + "/" + cell(row, "ID"), launches_.size());
    if (is_new) {
      launches_.push_back({cell(row, "Kernel Name"), {}});
      if (columns_.contains("CC"))
        launches_.back().cells[compute_capability] = {cell(row, compute_capability), "", row.line};
    }
    return {at->second, is_new};
  }

  void take_launch(const CsvRow& row) {
    if (units_.empty())
      refuse_line(file_, row.line,
                  fmt::format("no row of units stands between the header, in line {}, and this "
                              "launch: nobody can tell ns from s; {}",
                              header_.line, remedy));
    const auto [place, is_new] = place_of(row);
    if (!is_new)
      refuse_line(file_, row.line,
                  fmt::format("the launch with ID {} stands twice: which one counts? {}",
                              visible(cell(row, "ID")), remedy));
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      launches_[place].cells[header_.cells[i]] = {row.cells[i], units_[i], row.line};
  }

  /// Rows of one launch share its number.
  void take_counter(const CsvRow& row) {
    RawLaunch& launch = launches_[place_of(row).first];
    if (launch.kernel != cell(row, "Kernel Name"))
      refuse_line(file_, row.line,
                  fmt::format("the launch with ID {} is of kernel '{}' here, and of '{}' before: "
                              "the file was edited, or holds two tables; {}",
                              visible(cell(row, "ID")), visible(cell(row, "Kernel Name")),
                              visible(launch.kernel), remedy));
    const std::string& name = cell(row, "Metric Name");
    if (name.empty()) return;  // a rule's advice
    const Cell counter{cell(row, "Metric Value"), cell(row, "Metric Unit"), row.line};
    const auto [at, is_new] = launch.cells.emplace(name, counter);
    if (!is_new && (at->second.text != counter.text || at->second.unit != counter.unit))
      refuse_line(file_, row.line,
                  fmt::format("'{}' of the launch with ID {} has another value in line {}: which "
                              "one counts? {}",
                              visible(name), visible(cell(row, "ID")), at->second.line, remedy));
  }

  CsvRow header_;
  const std::string& file_;
  std::map<std::string, std::size_t> columns_;
  std::vector<std::string> units_;
  std::map<std::string, std::size_t> places_;
  std::vector<RawLaunch>& launches_;
};

/// Lines of the profiled program and of ncu itself come before a table, and ncu's between tables.
std::vector<RawLaunch> raw_launches(std::string_view text, const std::string& file) {
  CsvReader reader(text, file);
  std::vector<RawLaunch> launches;
  std::optional<Table> table;
  while (!reader.at_end()) {
    const std::string_view line = reader.next_line();
    if (is_header(line)) {
      table.emplace(reader.row(), file, launches);
    } else if (!table || line.empty() || line.starts_with("==")) {
      reader.skip_line();
    } else {
      table->take(reader.row());
    }
  }
  return launches;
}

constexpr const char* all_of_l2 =
    "L2 is all that it handled (lts__t_bytes): on A100, H100 and H200 more than the "
    "multiprocessors "
    "asked it for";
constexpr const char* from_a_rate =
    "Some sums follow from rates, which ncu rounds to two digits behind the point";

/// Counters under the names that other versions and other sets of sections give them. `seconds` is
/// the time of the launch.
struct OtherName {
  const char* counter;
  const char* formula;
  const char* note = "";  ///< where it means something else
};
constexpr std::array other_names = {
    OtherName{"dram__bytes.sum", "dram__bytes_read.sum + dram__bytes_write.sum"},
    OtherName{"dram__bytes.sum", "dram__read_bytes.sum + dram__write_bytes.sum"},
    OtherName{"dram__bytes.sum",
              "(dram__bytes_read.sum.per_second + dram__bytes_write.sum.per_second) * seconds"},
    OtherName{"dram__bytes.sum", "32 * (dram__sectors_read.sum + dram__sectors_write.sum)"},
    OtherName{"l1tex__t_bytes.sum", "32 * l1tex__t_sectors.sum"},
    OtherName{"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum + "
              "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    // The published definition (NERSC 2020) is from the V100, whose L2 is one piece. Where its
    // halves hand data to each other it holds that, too.
    OtherName{"lts__t_sectors_srcunit_tex.sum", "lts__t_bytes.sum / 32", all_of_l2},
    OtherName{"lts__t_sectors_srcunit_tex.sum", "lts__t_sectors.sum", all_of_l2},
    OtherName{"sm__ops_path_tensor_src_fp16.sum", "512 * v100_tensor_instructions",
              "Tensor operations are 512 for each instruction of a V100's tensor pipe, as NERSC "
              "counts them"},
};

/// Instructions of the tensor pipe of a V100, where each is of one kind and size. Later chips have
/// more kinds, and Hopper counts instructions there that are none of its tensor cores'.
void name_tensor_instructions_of_v100(const RawLaunch& raw, Counters& values) {
  const auto chip = raw.cells.find(compute_capability);
  const auto count = values.find("sm__inst_executed_pipe_tensor.sum");
  if (chip != raw.cells.end() && (chip->second.text == "7.0" || chip->second.text == "7,0") &&
      count != values.end())
    values["v100_tensor_instructions"] = count->second;
}

/// A way to a counter's sum over a launch.
struct Way {
  Formula formula;
  std::string note;
};

/// The ways to a counter, the plainest first.
std::vector<Way> ways_to(const std::string& counter) {
  std::vector<std::string> names = {counter};
  constexpr std::string_view sass = "sm__sass_";
  if (counter.starts_with(sass)) names.push_back("smsp__sass_" + counter.substr(sass.size()));
  std::vector<Way> ways;
  const auto add = [&ways](const std::string& formula, const char* note) {
    ways.push_back({Formula(formula), note});
  };
  for (const std::string& name : names) add(name, "");
  for (const std::string& name : names) {
    add(name + ".per_second * seconds", from_a_rate);
    add(name + ".per_cycle_elapsed * " + name.substr(0, name.find("__")) + "__cycles_elapsed.avg",
        from_a_rate);
  }
  for (const OtherName& other : other_names)
    if (counter == other.counter) add(other.formula, other.note);
  return ways;
}

struct Wanted {
  std::string counter;
  std::vector<Way> ways;
};

/// Everything that can be added up over launches: sums, and no ratios.
const std::vector<Wanted>& wanted_counters() {
  static const std::vector<Wanted> wanted = [] {
    std::vector<Wanted> list;
    std::set<std::string> known;
    for (const Metric& metric : nvidia_table().metrics)
      for (const std::string& counter : counters_of(metric)) {
        if (counter.ends_with(".sum") && counter != "gpu__time_duration.sum" &&
            known.insert(counter).second)
          list.push_back({counter, ways_to(counter)});
      }
    return list;
  }();
  return wanted;
}

std::optional<double> seconds_in(const Counters& values) {
  static const std::vector<Formula> ways = {
      Formula("gpu__time_duration.sum"),
      Formula("gpu__time_duration.avg"),
      Formula("gpu__time_duration.max"),
      Formula("gpu__time_duration"),
      Formula("sm__cycles_elapsed.avg / sm__cycles_elapsed.avg.per_second"),
      Formula("smsp__cycles_elapsed.avg / smsp__cycles_elapsed.avg.per_second")};
  for (const Formula& way : ways)
    if (const auto value = way.evaluate(values); value && *value > 0) return value;
  return std::nullopt;
}

/// Takes the counter by the first way whose numbers are all there; false where there is none.
bool take_counter(const Wanted& wanted, const Counters& values, ImportedLaunch& launch) {
  for (const Way& way : wanted.ways) {
    const auto value = way.formula.evaluate(values);
    if (!value) continue;
    launch.counters[wanted.counter] = *value;
    if (!way.note.empty()) launch.notes.insert(way.note);
    return true;
  }
  return false;
}

/// The counters in base units. `bad` gets the reasons for cells that are no count.
Counters values_of(const RawLaunch& raw, NumberStyle style,
                   std::map<std::string, std::string>& bad) {
  Counters values;
  for (const auto& [name, cell] : raw.cells) {
    if (!is_counter(name)) continue;
    const auto number = number_in(cell.text, style);
    const auto factor = unit_factor(cell.unit);
    if (!number)
      bad[name] = fmt::format("'{}' in line {} is no number", visible(cell.text), cell.line);
    else if (*number < 0)
      bad[name] = fmt::format("{} in line {} is below zero", visible(cell.text), cell.line);
    else if (needs_unit(name) && trimmed(cell.unit).empty())
      bad[name] = fmt::format("it has no unit in line {}; {}", cell.line, remedy);
    else if (!factor)
      bad[name] = fmt::format("its unit '{}' is not known", visible(cell.unit));
    else if (!bounds::finite.hold(*number * *factor))
      bad[name] = fmt::format("{} in line {} is too large", visible(cell.text), cell.line);
    else
      values[name] = *number * *factor;
  }
  return values;
}

ImportedLaunch launch_of(const RawLaunch& raw, NumberStyle style) {
  ImportedLaunch launch;
  launch.kernel = demangled(raw.kernel);
  if (const auto device = raw.cells.find("device__attribute_display_name");
      device != raw.cells.end())
    launch.device = device->second.text;
  std::map<std::string, std::string> bad;
  Counters values = values_of(raw, style, bad);
  name_tensor_instructions_of_v100(raw, values);
  launch.seconds = seconds_in(values);
  if (launch.seconds) values["seconds"] = *launch.seconds;
  for (const Wanted& wanted : wanted_counters()) {
    if (take_counter(wanted, values, launch)) continue;
    for (const Way& way : wanted.ways)
      for (const std::string& name : way.formula.names())
        if (const auto reason = bad.find(name); reason != bad.end())
          launch.missing.push_back({name, reason->second});
  }
  return launch;
}

}  // namespace

bool is_ncu_table(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (is_header(text.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

std::vector<ImportedLaunch> read_ncu_table(std::string_view text, const std::string& file) {
  const std::vector<RawLaunch> raw = raw_launches(text, file);
  if (raw.empty())
    throw InputError(
        fmt::format("{}: the table holds no launch of a kernel; did the program launch "
                    "one, and was it not filtered out?",
                    visible(file)));
  StyleFinder finder;
  bool any_counter = false;
  for (const RawLaunch& launch : raw)
    for (const auto& [name, cell] : launch.cells)
      if (is_counter(name)) {
        any_counter = true;
        finder.look_at(cell.text, cell.line);
      }
  if (!any_counter)
    throw InputError(fmt::format("{}: a table without counters, as --page details writes it; {}",
                                 visible(file), remedy));
  const NumberStyle style = finder.style(file);
  std::vector<ImportedLaunch> launches;
  for (const RawLaunch& launch : raw) launches.push_back(launch_of(launch, style));
  return launches;
}

}  // namespace roofline
