#include "roofline/tool/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>

#include "roofline/base/error.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/instruction_table.h"

namespace roofline {
namespace {

/// A table row: a kernel or range, or its work of one precision.
struct PartRow {
  const RowsBy* rows = nullptr;
  std::size_t index = 0;
  std::optional<int> rank = {};
  const Model* model = nullptr;         ///< the precision; nullptr: all of it
  const StatedWork* by_file = nullptr;  ///< work by formula; nullptr: counted

  const Profile& profile() const { return rows->profile; }
  const KernelProfile& part() const { return rows->profile.kernels[index]; }
  const Metrics& metrics() const { return by_file ? by_file->metrics : part().metrics; }
  std::optional<double> metric(const std::string& name) const {
    return metric_value(metrics(), name);
  }
  double work() const { return metric(model->work).value_or(0); }
  std::optional<BusiestLevel> busiest() const {
    return busiest_level(profile(), part(), metrics());
  }
  /// The operations per byte moved at a level.
  std::optional<double> intensity(const Level& at) const {
    const auto bytes = metric(at.traffic);
    return model && bytes && *bytes > 0 ? std::optional(work() / *bytes) : std::nullopt;
  }
  /// The roof of the row's precision; without one, that of all its work.
  std::optional<Nearest> nearest() const;
};

std::optional<Nearest> nearest_by(const Profile& profile, const KernelProfile& kernel,
                                  const RooflinePoint* point, const Metrics& metrics,
                                  const std::string& by) {
  if (point != nullptr) return Nearest{point->bound_by, point->percent_of_roof, by};
  const auto busiest = busiest_level(profile, kernel, metrics);
  return busiest ? std::optional(Nearest{busiest->level, busiest->percent, by}) : std::nullopt;
}

std::optional<Nearest> PartRow::nearest() const {
  if (model == nullptr && by_file == nullptr) return nearest_of(profile(), part());
  const std::string by = by_file ? by_formula : "";
  const RooflinePoints& placed = by_file ? by_file->placed : part().placed;
  if (model == nullptr) return nearest_by(profile(), part(), nullptr, metrics(), by);
  const auto point = std::ranges::find(placed.points, model->name, &RooflinePoint::precision);
  if (point == placed.points.end()) return std::nullopt;
  return Nearest{point->bound_by, point->percent_of_roof, by};
}

using PartColumn = ColumnOf<PartRow>;
using Columns = std::vector<PartColumn>;
using PartCell = std::function<TableCell(const PartRow&)>;

Columns joined(std::initializer_list<Columns> groups) {
  Columns columns;
  for (const Columns& group : groups) columns.insert(columns.end(), group.begin(), group.end());
  return columns;
}

PartColumn number_column(const std::string& name, const std::string& title, const std::string& note,
                         PartCell cell) {
  return {{name, title, note, "", Align::right}, std::move(cell)};
}

/// A column about the nearest roof, unknown where there is none.
PartColumn nearest_column(const TableColumn& head,
                          const std::function<TableCell(const PartRow&, const Nearest&)>& cell) {
  return {head, [cell](const PartRow& row) {
            const auto nearest = row.nearest();
            return nearest ? cell(row, *nearest) : TableCell{unknown_text};
          }};
}

std::vector<PartRow> part_rows(const RowsBy& rows) {
  std::vector<PartRow> all;
  for (std::size_t i = 0; i < rows.profile.kernels.size(); ++i) all.push_back({&rows, i});
  return all;
}

Table part_table(const Columns& columns, const std::vector<PartRow>& rows, const std::string& name,
                 const std::string& caption) {
  return without_empty_columns(table_of(columns, rows, {name, caption, {}, {}, {}}));
}

/// The short name, behind which the page has the whole one; ranges are indented by depth.
TableCell name_cell(const PartRow& row) {
  std::string text;
  std::string whole = visible(row.part().name);
  if (!row.rows->ranges.empty()) {
    whole = visible(range_path(*row.rows->from, row.rows->ranges[row.index]));
    for (int i = row.rows->range(row.index).parent; i >= 0;
         i = row.rows->from->ranges[static_cast<std::size_t>(i)].parent)
      text += "\u00a0\u00a0";
  }
  text += visible(label_of(row.part(), 40));
  return {text, NAN, whole == text ? "" : whole};
}

Columns first_columns(const RowsBy& rows) {
  return {number_column("number", "#", "the number in the charts",
                        [](const PartRow& row) {
                          return cell::integer(static_cast<std::int64_t>(row.index + 1));
                        }),
          {{"name", rows.ranges.empty() ? "kernel" : "range", "a click shows the whole name"},
           name_cell}};
}

Columns time_columns() {
  return {number_column("launches", "launches", "",
                        [](const PartRow& row) { return cell::integer(row.part().launches); }),
          number_column("time (s)", "time", "of all launches together",
                        [](const PartRow& row) { return cell::prefixed(row.part().seconds, "s"); }),
          number_column("share_of_time (%)", "share", "of the time of all kernels",
                        [](const PartRow& row) {
                          return share_cell(row.part().seconds, row.rows->from->seconds());
                        })};
}

Columns roof_columns() {
  return {nearest_column({"nearest", "nearest", "the roof that holds back most of it"},
                         [](const PartRow& row, const Nearest& nearest) {
                           return TableCell{roof_label(row.profile(), nearest)};
                         }),
          nearest_column({"of_it", "of it", "the share of it that was reached", "", Align::right},
                         [](const PartRow& /*row*/, const Nearest& nearest) {
                           return TableCell{percent_text(nearest.percent) +
                                                (is_above(nearest.percent) ? " !" : ""),
                                            nearest.percent};
                         })};
}

template <class Cell>
Columns level_columns(const ModelTable& table, const std::string& name, const std::string& title,
                      const std::string& note, const Cell& cell) {
  Columns columns;
  for (const Level& level : table.levels)
    columns.push_back(number_column(
        name + level.name, title + level.label, note + level.label,
        [&level, cell](const PartRow& row) -> TableCell { return cell(row, level); }));
  return columns;
}

/// The form of its launches that took most time; unknown without one.
PartColumn form_column(const std::string& name, const std::string& title, const std::string& note,
                       const std::function<TableCell(const LaunchForm&)>& cell) {
  return number_column(name, title, note, [cell](const PartRow& row) {
    const auto& forms = row.part().forms;
    return forms.empty() ? TableCell{unknown_text} : cell(forms.front().form);
  });
}

TableCell extent_cell(const std::array<std::int64_t, 3>& extent) {
  return {fmt::format("{}", fmt::join(extent, "x"))};
}

Columns form_columns() {
  using Form = const LaunchForm&;
  return {form_column("grid", "grid", "blocks in x, y and z",
                      [](Form form) { return extent_cell(form.grid); }),
          form_column("block", "block", "threads in x, y and z",
                      [](Form form) { return extent_cell(form.block); }),
          form_column("registers", "registers", "of a thread",
                      [](Form form) { return cell::integer(form.registers); }),
          form_column("static_shared (B)", "static shared (B)", "shared memory of a block",
                      [](Form form) { return cell::integer(form.static_shared); }),
          form_column("dynamic_shared (B)", "dynamic (B)", "shared memory asked for at the launch",
                      [](Form form) { return cell::integer(form.dynamic_shared); }),
          number_column("occupancy (%)", "occupancy",
                        "warps that a multiprocessor can hold at a time, of the most",
                        [](const PartRow& row) {
                          const auto found = occupancy_of(row.profile(), row.part());
                          return cell::percent(
                              found ? std::optional(100 * found->share()) : std::nullopt, 0);
                        }),
          {{"limited_by", "limited by", "what allows no more warps"},
           [](const PartRow& row) {
             const auto found = occupancy_of(row.profile(), row.part());
             return TableCell{found ? found->limiter() : unknown_text};
           }},
          number_column(
              "forms", "other forms", "in which it was launched as well", [](const PartRow& row) {
                const auto others = static_cast<std::int64_t>(row.part().forms.size()) - 1;
                return others > 0 ? cell::integer(others) : TableCell{unknown_text};
              })};
}

/// The ranges in preorder of their tree, siblings by time; the longest of all come first. A range
/// has at least the time of its nested ranges, so the longest form a tree as well.
std::vector<int> order_of_ranges(const Profile& profile) {
  const auto& ranges = profile.ranges;
  std::vector<int> by_time;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (ranges[i].all.launches > 0) by_time.push_back(static_cast<int>(i));
  std::ranges::stable_sort(by_time, std::greater(), [&ranges](int range) {
    return ranges[static_cast<std::size_t>(range)].all.seconds.value_or(0);
  });
  std::map<int, std::vector<int>> within;  // by parent; -1 has none
  for (const int range : by_time)
    within[ranges[static_cast<std::size_t>(range)].parent].push_back(range);
  std::vector<int> order, open(within[-1].rbegin(), within[-1].rend());
  while (!open.empty()) {
    const std::vector<int>& inner = within[order.emplace_back(open.back())];
    open.pop_back();
    open.insert(open.end(), inner.rbegin(), inner.rend());
  }
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
  if (auto near = nearest_by(profile, kernel, kernel.placed.leading(), kernel.metrics, ""))
    return near;
  if (!kernel.stated) return std::nullopt;
  return nearest_by(profile, kernel, kernel.stated->placed.leading(), kernel.stated->metrics,
                    by_formula);
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

Table parts_table(const RowsBy& rows, bool bytes) {
  Columns own, levels;
  if (!rows.ranges.empty())
    own = {number_column("own_time", "own time",
                         "of what was launched directly in it, not in a range within it",
                         [](const PartRow& row) {
                           return cell::prefixed(row.rows->range(row.index).own.seconds, "s");
                         })};
  if (bytes)
    levels = level_columns(table_of(rows.profile.kind), "bytes_", "", "bytes moved at ",
                           [](const PartRow& row, const Level& level) {
                             return cell::prefixed(row.metric(level.traffic), "B");
                           });
  return part_table(joined({first_columns(rows), time_columns(), own, levels, roof_columns()}),
                    part_rows(rows), rows.ranges.empty() ? "kernels" : "ranges",
                    rows.ranges.empty() ? "Kernels" : "NVTX ranges, each with those in it");
}

Table work_table(const RowsBy& rows) {
  std::vector<PartRow> all;
  const auto add = [&](PartRow row, const StatedWork* by_file) {
    const std::size_t before = all.size();
    row.by_file = by_file;
    for (const Model& model : table_of(rows.profile.kind).models) {
      row.model = &model;
      if (row.work() > 0) all.push_back(row);
    }
    row.model = nullptr;
    if (all.size() == before && row.busiest()) all.push_back(row);
  };
  for (const PartRow& row : part_rows(rows)) {
    add(row, nullptr);
    if (row.part().stated) add(row, &*row.part().stated);
  }
  const PartColumn precision = {{"precision", "precision"}, [](const PartRow& row) {
                                  return TableCell{(row.model ? row.model->title : "none") +
                                                   (row.by_file ? ", by formula" : "")};
                                }};
  const PartColumn work = number_column("work", "work", "", [](const PartRow& row) {
    return row.model ? cell::prefixed(row.work(), row.model->unit) : TableCell{unknown_text};
  });
  const PartColumn speed = number_column("speed", "speed", "", [](const PartRow& row) {
    const auto& seconds = row.part().seconds;
    if (row.model == nullptr) return cell::prefixed(row.busiest()->bytes_per_s, "B/s");
    return cell::prefixed(seconds ? std::optional(row.work() / *seconds) : std::nullopt,
                          row.model->unit + "/s");
  });
  const Columns levels =
      level_columns(table_of(rows.profile.kind), "ai_", "AI ", "operations per byte moved at ",
                    [](const PartRow& row, const Level& level) {
                      return cell::short_number(row.intensity(level));
                    });
  return part_table(
      joined({first_columns(rows), {precision, work}, levels, {speed}, roof_columns()}), all,
      "work", "Work by precision, and its place under the roofs");
}

Table launches_table(const RowsBy& rows) {
  std::vector<PartRow> all = part_rows(rows);
  std::erase_if(all, [](const PartRow& row) { return row.part().forms.empty(); });
  return part_table(joined({first_columns(rows), form_columns()}), all, "launches",
                    "How kernels are launched: the form that took most time");
}

Table instructions_table(const RowsBy& rows) {
  std::vector<PartRow> all = part_rows(rows);
  std::erase_if(all, [](const PartRow& row) {
    return !row.part().seconds || row.part().instructions.points.empty();
  });
  Columns columns = first_columns(rows);
  for (const ColumnOf<InstructionRow>& one : instruction_columns("inst/txn "))
    columns.push_back(
        {one.head, [cell = one.cell](const PartRow& row) {
           const KernelProfile& kernel = row.part();
           return cell({kernel.name, kernel.metrics, *kernel.seconds, kernel.instructions.points});
         }});
  return part_table(columns, all, "instructions", "Instructions");
}

// ---- CSV: other programs depend on its columns; new ones may be added, none removed -----------

namespace {

PartColumn csv_words(const std::string& name, std::function<std::string(const PartRow&)> text) {
  return {{name, ""}, [text](const PartRow& row) { return TableCell{text(row)}; }};
}

PartColumn csv_value(const std::string& name,
                     std::function<std::optional<double>(const PartRow&)> value) {
  return {{name, ""}, [value](const PartRow& row) {
            return cell::number(value(row), [](double /*known*/) { return std::string(); });
          }};
}

/// The work by precision and the bytes by level, counted or by formula.
Columns csv_amounts(const ModelTable& table, bool stated) {
  Columns columns;
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& what) {
    columns.push_back(csv_value(fmt::format("{}{} ({})", stated ? "stated_" : "", name, unit),
                                [stated, what](const PartRow& row) -> std::optional<double> {
                                  if (!stated) return row.metric(what);
                                  const auto& by = row.part().stated;
                                  return by ? metric_value(by->metrics, what) : std::nullopt;
                                }));
  };
  for (const Model& model : table.models)
    add("work_" + work_key(model.name), model.unit, model.work);
  for (const Level& level : table.levels) add("bytes_" + level.name, "B", level.traffic);
  return columns;
}

/// Columns that identify a row.
Columns csv_names(By by) {
  if (by == By::kernel)
    return {csv_words("kernel", [](const PartRow& row) { return row.part().name; })};
  return {csv_words("range",
                    [](const PartRow& row) {
                      return range_path(*row.rows->from, row.rows->ranges[row.index]);
                    }),
          csv_value("own_launches",
                    [](const PartRow& row) {
                      return static_cast<double>(row.rows->range(row.index).own.launches);
                    }),
          csv_value("own_time (s)",
                    [](const PartRow& row) { return row.rows->range(row.index).own.seconds; })};
}

Columns csv_columns(const ModelTable& table, By by) {
  const auto missing = [](const PartRow& row) {
    std::vector<std::string> names;
    for (const Missing& one : row.part().missing) names.push_back(one.name);
    return fmt::format("{}", fmt::join(names, "; "));
  };
  return joined(
      {{csv_words("program", [](const PartRow& row) { return row.profile().program; }),
        csv_words("device", [](const PartRow& row) { return row.profile().device; }),
        csv_value("rank", [](const PartRow& row) { return std::optional<double>(row.rank); })},
       csv_names(by),
       time_columns(),
       csv_amounts(table, false),
       {nearest_column(
            {"nearest_roof", ""},
            [](const PartRow& /*row*/, const Nearest& nearest) { return TableCell{nearest.roof}; }),
        nearest_column({"of_nearest_roof (%)", ""},
                       [](const PartRow& /*row*/, const Nearest& nearest) {
                         return cell::percent(nearest.percent);
                       }),
        csv_words("missing", missing),
        csv_value("gpu", [](const PartRow& row) { return std::optional<double>(row.part().gpu); })},
       form_columns(),
       {csv_words("stated",
                  [](const PartRow& row) { return row.part().stated ? by_formula : ""; })},
       csv_amounts(table, true),
       {nearest_column({"nearest_roof_by", ""}, [](const PartRow& /*row*/, const Nearest& nearest) {
         return TableCell{nearest.by.empty() ? "counted" : nearest.by};
       })}});
}

}  // namespace

std::string profiles_csv(const RankedProfiles& profiles, By by) {
  std::deque<RowsBy> parts;  // a deque, so that addresses stay valid
  std::vector<PartRow> rows;
  for (const auto& [rank, profile] : profiles) {
    if (profiles.size() > 1 && !none_by(*profile, by).empty()) continue;
    for (PartRow& row : part_rows(parts.emplace_back(rows_by(*profile, by)))) {
      row.rank = rank;
      rows.push_back(row);
    }
  }
  const std::string kind = profiles.empty() ? "gpu" : profiles.front().second->kind;
  return csv_text(table_of(csv_columns(table_of(kind), by), rows, Table()));
}

}  // namespace roofline
