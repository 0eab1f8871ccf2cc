#include "roofline/tool/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "roofline/base/text.h"

namespace roofline {
namespace {

/// A table row: a kernel or range, or its work of one precision.
struct PartRow {
  const RowsBy* rows = nullptr;
  std::size_t index = 0;
  std::optional<int> rank = {};
  const Model* model = nullptr;         ///< the precision; nullptr: all of it
  const StatedWork* by_file = nullptr;  ///< work by formula; nullptr: counted

  const Profile& profile() const { return *rows->from; }
  const KernelProfile& part() const { return rows->profile.kernels[index]; }
  /// The whole name.
  std::string path() const {
    return rows->ranges.empty() ? part().name : range_path(profile(), rows->ranges[index]);
  }
  const Metrics& metrics() const { return by_file ? by_file->metrics : part().metrics; }
  std::optional<double> metric(const std::string& name) const {
    return metric_value(metrics(), name);
  }
  double work() const { return metric(model->work).value_or(0); }
  /// The operations per byte moved at a level.
  std::optional<double> intensity(const Level& at) const {
    const auto bytes = metric(at.traffic);
    return bytes && *bytes > 0 ? std::optional(work() / *bytes) : std::nullopt;
  }
  /// The roof of the row's precision; without one, that of all its work.
  std::optional<Nearest> nearest() const;
};

std::optional<Nearest> PartRow::nearest() const {
  if (model == nullptr) return nearest_of(profile(), part());
  const RooflinePoints& placed = by_file ? by_file->placed : part().placed;
  const auto point = std::ranges::find(placed.points, model->name, &RooflinePoint::precision);
  if (point == placed.points.end()) return std::nullopt;
  return Nearest{point->bound_by, point->percent_of_roof, by_file ? by_formula : ""};
}

/// The point of most work, or without one the memory that is busiest.
std::optional<Nearest> nearest_in(const Profile& profile, double seconds,
                                  const RooflinePoints& placed, const Metrics& metrics,
                                  const std::string& by) {
  if (const RooflinePoint* point = placed.leading())
    return Nearest{point->bound_by, point->percent_of_roof, by};
  std::optional<Nearest> busiest;
  for (const Level& level : table_of(profile.kind).levels) {
    const Ceiling* roof = profile.ceilings->find(level.roof);
    if (roof == nullptr || !(roof->measured > 0)) continue;
    const double bytes = metric_value(metrics, level.traffic).value_or(0);
    const double percent = 100 * bytes / seconds / roof->measured;
    if (percent > (busiest ? busiest->percent : 0)) busiest = {level.name, percent, by};
  }
  return busiest;
}

using Row = const PartRow&;

/// A column, and the tables in which it stands: a sum of bits.
struct PartColumn {
  unsigned where;
  ColumnOf<PartRow> column;
};
constexpr unsigned in(Shown table) { return 1U << static_cast<unsigned>(table); }
constexpr unsigned in_csv = 32, in_all = in_csv - 1, in_work = in(Shown::work);
constexpr unsigned in_parts = in(Shown::parts) | in(Shown::details);

/// The columns of all tables, in their order. Other programs depend on those in CSV, whose names
/// docs/roofline.md lists.
struct Columns {
  std::vector<PartColumn> list;

  void text(unsigned where, TableColumn head, std::function<TableCell(Row)> cell) {
    list.push_back({where, {std::move(head), std::move(cell)}});
  }
  /// Without a unit numbers are short; counts are whole.
  void number(unsigned where, const std::string& name, const std::string& title,
              const std::string& note, const std::string& unit,
              std::function<std::optional<double>(Row)> value) {
    text(where, {name, title, note, "", Align::right}, [unit, value](Row row) {
      const std::optional<double> found = value(row);
      if (unit.empty()) return cell::short_number(found);
      if (unit != "count") return cell::prefixed(found, unit);
      return found ? cell::integer(static_cast<std::int64_t>(*found)) : TableCell{unknown_text};
    });
  }
};

/// The short name, behind which the page has the whole one; ranges are indented by depth.
TableCell name_cell(Row row) {
  std::string text;
  std::string whole = visible(row.part().name);
  if (!row.rows->ranges.empty()) {
    whole = visible(row.path());
    for (int i = row.rows->range(row.index).parent; i >= 0;
         i = row.profile().ranges[static_cast<std::size_t>(i)].parent)
      text += "\u00a0\u00a0";
  }
  text += visible(label_of(row.part(), 40));
  return {text, NAN, whole == text ? "" : whole};
}

void add_names_and_times(By by, Columns& columns) {
  constexpr unsigned times = in_parts | in_csv;
  const char* const part = by == By::range ? "range" : "kernel";
  columns.number(in_all, "number", "#", "the number in the charts", "count",
                 [](Row row) { return static_cast<double>(row.index + 1); });
  columns.text(in_all, {"name", part, "a click shows the whole name"}, name_cell);
  columns.text(in_csv, {"program", ""}, [](Row row) { return TableCell{row.profile().program}; });
  columns.text(in_csv, {"device", ""}, [](Row row) { return TableCell{row.profile().device}; });
  columns.number(in_csv, "rank", "", "", "count", [](Row row) { return row.rank; });
  columns.text(in_csv, {part, ""}, [](Row row) { return TableCell{row.path()}; });
  columns.number(times, "launches", "launches", "", "count",
                 [](Row row) { return static_cast<double>(row.part().launches); });
  columns.number(times, "time (s)", "time", "of all launches together", "s",
                 [](Row row) { return row.part().seconds; });
  columns.text(times,
               {"share_of_time (%)", "share", "of the time of all kernels", "", Align::right},
               [](Row row) { return share_cell(row.part().seconds, row.profile().seconds()); });
  if (by == By::kernel) return;
  columns.number(in_csv, "own_launches", "", "", "count", [](Row row) {
    return static_cast<double>(row.rows->range(row.index).own.launches);
  });
  columns.number(times, "own_time (s)", "own time",
                 "of what was launched directly in it, not in a range within it", "s",
                 [](Row row) { return row.rows->range(row.index).own.seconds; });
}

void add_work(const ModelTable& table, Columns& columns) {
  for (const Model& model : table.models)
    columns.number(in_csv, fmt::format("work_{} ({})", work_key(model.name), model.unit), "", "",
                   model.unit, [&model](Row row) { return row.metric(model.work); });
  for (const Level& level : table.levels)
    columns.number(in(Shown::details) | in_csv, fmt::format("bytes_{} (B)", level.name),
                   level.label, "bytes moved at " + level.label, "B",
                   [&level](Row row) { return row.metric(level.traffic); });
  columns.text(in_work, {"precision", "precision"}, [](Row row) {
    return TableCell{row.model->title + (row.by_file ? std::string(", ") + by_formula : "")};
  });
  columns.text(in_work, {"work", "work", "", "", Align::right},
               [](Row row) { return cell::prefixed(row.work(), row.model->unit); });
  for (const Level& level : table.levels)
    columns.number(in_work, "ai_" + level.name, "AI " + level.label,
                   "operations per byte moved at " + level.label, "",
                   [&level](Row row) { return row.intensity(level); });
  columns.text(in_work, {"speed", "speed", "", "", Align::right}, [](Row row) {
    const auto& seconds = row.part().seconds;
    return cell::prefixed(seconds ? std::optional(row.work() / *seconds) : std::nullopt,
                          row.model->unit + "/s");
  });
}

void add_roofs(Columns& columns) {
  using Roof = const Nearest&;
  const auto add = [&columns](unsigned where, const TableColumn& head,
                              const std::function<TableCell(Row, Roof)>& cell) {
    columns.text(where, head, [cell](Row row) {
      const auto nearest = row.nearest();
      return nearest ? cell(row, *nearest) : TableCell{unknown_text};
    });
  };
  add(in_parts | in_work, {"nearest", "nearest", "the roof that holds back most of it"},
      [](Row row, Roof roof) { return TableCell{roof_label(row.profile(), roof)}; });
  add(in_csv, {"nearest_roof", ""}, [](Row /*row*/, Roof roof) { return TableCell{roof.roof}; });
  add(in_parts | in_work | in_csv,
      {"of_nearest_roof (%)", "of it", "the share of it that was reached", "", Align::right},
      [](Row /*row*/, Roof roof) {
        return TableCell{percent_text(roof.percent) + (is_above(roof.percent) ? " !" : ""),
                         roof.percent};
      });
  add(in_csv, {"nearest_roof_by", ""},
      [](Row /*row*/, Roof roof) { return TableCell{roof.by.empty() ? "counted" : roof.by}; });
  columns.text(in_csv, {"missing", ""}, [](Row row) {
    std::vector<std::string> names;
    for (const Missing& one : row.part().missing) names.push_back(one.name);
    return TableCell{fmt::format("{}", fmt::join(names, "; "))};
  });
  columns.number(in_csv, "gpu", "", "", "count", [](Row row) { return row.part().gpu; });
}

Table made_table(const std::string& kind, By by, unsigned where, const std::vector<PartRow>& rows,
                 const std::string& caption) {
  Columns all;
  add_names_and_times(by, all);
  add_work(table_of(kind), all);
  add_roofs(all);
  std::vector<ColumnOf<PartRow>> columns;
  for (const PartColumn& one : all.list)
    if ((one.where & where) != 0) columns.push_back(one.column);
  return table_of(columns, rows, {"", caption, {}, {}, {}});
}

std::vector<PartRow> part_rows(const RowsBy& rows) {
  std::vector<PartRow> all;
  for (std::size_t i = 0; i < rows.profile.kernels.size(); ++i) all.push_back({&rows, i});
  return all;
}

/// A row for each precision in which a kernel has work, counted or by formula.
std::vector<PartRow> work_rows(const RowsBy& rows) {
  std::vector<PartRow> all;
  for (PartRow row : part_rows(rows)) {
    std::vector<const StatedWork*> sources = {nullptr};
    if (row.part().stated) sources.push_back(&*row.part().stated);
    for (const StatedWork* by_file : sources)
      for (const Model& model : table_of(rows.profile.kind).models) {
        row.by_file = by_file;
        row.model = &model;
        if (row.work() > 0) all.push_back(row);
      }
  }
  return all;
}

/// The ranges in preorder of their tree, siblings by time; the longest of all come first. A range
/// has at least the time of its nested ranges, so the longest form a tree as well.
std::vector<int> order_of_ranges(const Profile& profile) {
  std::vector<int> by_time, order;
  for (std::size_t i = 0; i < profile.ranges.size(); ++i)
    if (profile.ranges[i].all.launches > 0) by_time.push_back(static_cast<int>(i));
  const auto range_at = [&profile](int i) { return &profile.ranges[static_cast<std::size_t>(i)]; };
  std::ranges::stable_sort(by_time, std::greater(),
                           [&](int range) { return range_at(range)->all.seconds.value_or(0); });
  std::map<int, std::vector<int>> within;  // by parent; -1 has none
  for (const int range : by_time) within[range_at(range)->parent].push_back(range);
  const std::function<void(int)> add = [&](int parent) {
    for (const int range : within[parent]) {
      order.push_back(range);
      add(range);
    }
  };
  add(-1);
  by_time.resize(std::min(by_time.size(), most_shown));
  std::ranges::stable_partition(
      order, [&by_time](int range) { return std::ranges::find(by_time, range) != by_time.end(); });
  return order;
}

}  // namespace

bool is_above(double percent) { return percent > 100 * (1 + tolerance); }

std::string roof_label(const Profile& profile, const Nearest& nearest) {
  const std::string label = level_label(profile.kind, nearest.roof);
  return nearest.by.empty() ? label : label + ", " + nearest.by;
}

std::optional<Nearest> nearest_of(const Profile& profile, const KernelProfile& kernel) {
  if (!profile.ceilings || !kernel.seconds) return std::nullopt;
  auto near = nearest_in(profile, *kernel.seconds, kernel.placed, kernel.metrics, "");
  if (!near && kernel.stated)
    near = nearest_in(profile, *kernel.seconds, kernel.stated->placed, kernel.stated->metrics,
                      by_formula);
  return near;
}

TableCell share_cell(std::optional<double> seconds, double all_seconds) {
  if (!seconds || !(all_seconds > 0)) return {unknown_text};
  return cell::percent(100 * *seconds / all_seconds);
}

std::string none_by(const Profile& profile, By by) {
  if (by == By::kernel || !profile.ranges.empty()) return {};
  return "no kernel was launched in an NVTX range: the program can open some with nvtxRangePush "
         "or torch.cuda.nvtx, and then be recorded anew";
}

RowsBy rows_by(const Profile& profile, By by) {
  if (const std::string none = none_by(profile, by); !none.empty()) throw InputError(none);
  RowsBy rows{&profile, profile};
  if (by == By::kernel) return rows;
  std::vector<KernelProfile>& parts = rows.profile.kernels;
  parts.clear();
  rows.ranges = order_of_ranges(profile);
  for (const int range : rows.ranges) {
    const RangeProfile& it = profile.ranges[static_cast<std::size_t>(range)];
    parts.push_back(it.all);
    parts.back().notes = it.own.notes;
    parts.back().shown_as = it.all.name;
  }
  return rows;
}

Table part_table(const RowsBy& rows, Shown what) {
  const bool ranges = !rows.ranges.empty(), work = what == Shown::work;
  const char* const caption = work     ? "Work by precision, and its place under the roofs"
                              : ranges ? "NVTX ranges, each with those in it"
                                       : "Kernels";
  return without_empty_columns(made_table(rows.profile.kind, ranges ? By::range : By::kernel,
                                          in(what), work ? work_rows(rows) : part_rows(rows),
                                          caption));
}

std::string profiles_csv(const Kept& profiles, By by) {
  std::deque<RowsBy> parts;  // a deque, so that addresses stay valid
  std::vector<PartRow> rows;
  for (const KeptProfile& one : profiles) {
    if (profiles.size() > 1 && !none_by(one.profile, by).empty()) continue;
    for (PartRow& row : part_rows(parts.emplace_back(rows_by(one.profile, by)))) {
      row.rank = one.rank;
      rows.push_back(row);
    }
  }
  return csv_text(made_table(profiles.front().profile.kind, by, in_csv, rows, ""));
}

}  // namespace roofline
