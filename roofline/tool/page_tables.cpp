#include "roofline/tool/page_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/import/import.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"
#include "roofline/tool/by.h"
#include "roofline/tool/show.h"

namespace roofline {

std::string roof_label(const Profile& profile, const Nearest& nearest) {
  const std::string label = level_label(profile.kind, nearest.roof);
  return nearest.by.empty() ? label : label + ", " + nearest.by;
}

namespace {

bool is_above(double percent) { return percent > 100 * (1 + tolerance); }

std::optional<Nearest> nearest_stated(const Profile& profile, const KernelProfile& kernel,
                                      const StatedWork& stated) {
  if (const RooflinePoint* point = stated.placed.leading())
    return Nearest{point->bound_by, point->percent_of_roof, by_formula};
  if (const auto busiest = busiest_level(profile, kernel, stated.metrics))
    return Nearest{busiest->level, busiest->percent, by_formula};
  return std::nullopt;
}

/// The short name, with the full name behind it if that has more.
TableCell name_cell(const PartRow& row) {
  const std::string whole = visible(row.part().name);
  const std::string brief = visible(label_of(row.part()));
  return {brief, NAN, whole == brief ? "" : whole};
}

std::vector<PartColumn> first_columns() {
  return {index_column(),
          text_column("kernel", "kernel", "a click shows the whole name", name_cell)};
}

}  // namespace

std::optional<Nearest> nearest_of(const Profile& profile, const KernelProfile& kernel) {
  if (const RooflinePoint* point = kernel.placed.leading())
    return Nearest{point->bound_by, point->percent_of_roof};
  if (const auto busiest = busiest_level(profile, kernel, kernel.metrics))
    return Nearest{busiest->level, busiest->percent};
  return kernel.stated ? nearest_stated(profile, kernel, *kernel.stated) : std::nullopt;
}

std::string share_of_roof(double percent) {
  return percent_text(percent) + (is_above(percent) ? " !" : "");
}

std::string above_roofs(const Profile& profile) {
  std::vector<std::string> kernels;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i)
    if (const auto nearest = nearest_of(profile, profile.kernels[i]);
        nearest && is_above(nearest->percent))
      kernels.push_back(fmt::format("{} ({} of {})", i + 1, percent_text(nearest->percent),
                                    roof_label(profile, *nearest)));
  return kernels.empty()
             ? ""
             : fmt::format(
                   "above what a roof allows: kernel {}; a time, a count, a unit or the roof is "
                   "wrong",
                   fmt::join(kernels, ", "));
}

std::string foreign_roofs(const Profile& profile) {
  if (profile.device.empty() || profile.ceilings->device == profile.device) return {};
  const std::string own = published_name(profile.device, profile.kind);
  if (const auto known = published_roofs(own); known && known->device == profile.ceilings->device)
    return {};
  return ", not of the device that ran" +
         (own.empty() ? "" : fmt::format(" (--roofs {} takes its own)", own));
}

std::string whose_roofs(const Profile& profile) {
  const Ceilings& roofs = *profile.ceilings;
  std::vector<std::string> whence;
  if (!roofs.from.empty()) whence.push_back(roofs.from);
  if (!roofs.created.empty()) whence.push_back(roofs.created.substr(0, 10));
  return roofs.device + (whence.empty() ? "" : fmt::format(" ({})", fmt::join(whence, ", "))) +
         foreign_roofs(profile);
}

std::string device_text(const Profile& profile) {
  return profile.device.empty() ? "a device without a name" : profile.device;
}

std::string profile_headline(const Profile& profile) {
  const std::size_t count = profile.kernels.size();
  return fmt::format("{} on {}: {} kernel{}, {}", profile.program, device_text(profile), count,
                     count == 1 ? "" : "s", describe_seconds(profile.seconds()));
}

TableCell share_cell(std::optional<double> seconds, double all_seconds) {
  if (!seconds || !(all_seconds > 0)) return {unknown_text};
  return cell::percent(100 * *seconds / all_seconds);
}

std::optional<Nearest> PartRow::nearest() const {
  if (model == nullptr) return stated ? std::nullopt : nearest_of(*profile, part());
  const auto& points = (stated ? stated->placed : part().placed).points;
  const auto found = std::ranges::find(points, model->name, &RooflinePoint::precision);
  if (found == points.end()) return std::nullopt;
  return Nearest{found->bound_by, found->percent_of_roof};
}

std::optional<double> PartRow::intensity(const Level& at) const {
  const auto bytes = counted(at.traffic);
  return model && bytes && *bytes > 0 ? std::optional(work() / *bytes) : std::nullopt;
}

TableCell PartRow::speed(double amount, const std::string& unit) const {
  const auto& seconds = part().seconds;
  return cell::prefixed(seconds ? std::optional(amount / *seconds) : std::nullopt, unit + "/s");
}

std::vector<PartColumn> joined(std::initializer_list<std::vector<PartColumn>> groups) {
  std::vector<PartColumn> columns;
  for (const auto& group : groups) columns.insert(columns.end(), group.begin(), group.end());
  return columns;
}

std::vector<PartRow> part_rows(const Profile& profile, std::size_t most) {
  std::vector<PartRow> rows;
  for (std::size_t i = 0; i < std::min(profile.kernels.size(), most); ++i)
    rows.push_back({&profile, i});
  return rows;
}

Table part_table(const std::vector<PartColumn>& columns, const std::vector<PartRow>& rows,
                 const std::string& name, const std::string& caption) {
  Table table = table_of(columns, rows, {name, caption, {}, {}, {}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].index >= most_shown) table.rows[i].tags = {{"all", "yes"}};
  return without_empty_columns(std::move(table));
}

PartColumn number_column(const std::string& name, const std::string& title, const std::string& note,
                         PartCell cell) {
  return {{name, title, note, "", Align::right}, std::move(cell)};
}

PartColumn text_column(const std::string& name, const std::string& title, const std::string& note,
                       PartCell cell) {
  return {{name, title, note}, std::move(cell)};
}

PartColumn index_column() {
  return number_column("number", "#", "the number in the charts", [](const PartRow& row) {
    return cell::integer(static_cast<std::int64_t>(row.index + 1));
  });
}

PartColumn name_column(std::size_t longest) {
  return text_column("kernel", "kernel", "", [longest](const PartRow& row) {
    return TableCell{visible(shown_name(row.part(), longest))};
  });
}

PartColumn launches_column() {
  return number_column("launches", "launches", "",
                       [](const PartRow& row) { return cell::integer(row.part().launches); });
}

PartColumn time_column(const std::string& note) {
  return number_column("time (s)", "time", note,
                       [](const PartRow& row) { return cell::prefixed(row.part().seconds, "s"); });
}

PartColumn share_column() {
  return number_column(
      "share_of_time (%)", "share", "of the time of all kernels", [](const PartRow& row) {
        return share_cell(row.part().seconds, (row.rows ? row.rows->from : row.profile)->seconds());
      });
}

PartColumn bytes_column(const Level& level) {
  return number_column(
      "bytes_" + level.name, level.label, "bytes moved at " + level.label,
      [&level](const PartRow& row) { return cell::prefixed(row.counted(level.traffic), "B"); });
}

PartColumn nearest_column(const TableColumn& head,
                          const std::function<TableCell(const PartRow&, const Nearest&)>& cell) {
  return {head, [cell](const PartRow& row) {
            const auto nearest = row.nearest();
            return nearest ? cell(row, *nearest) : TableCell{unknown_text};
          }};
}

std::vector<PartColumn> roof_columns(const std::string& name, const std::string& note,
                                     const std::string& share, const std::string& title_of_share) {
  return {
      nearest_column({name, name, note},
                     [](const PartRow& row, const Nearest& nearest) {
                       return TableCell{roof_label(*row.profile, nearest)};
                     }),
      nearest_column({share, title_of_share, "the share of it that was reached", "", Align::right},
                     [](const PartRow& /*row*/, const Nearest& nearest) {
                       return TableCell{share_of_roof(nearest.percent), nearest.percent};
                     })};
}

std::vector<PartColumn> nearest_columns() {
  return roof_columns("nearest", "the roof that holds back most of its work", "of_it", "of it");
}

Table kernels_table(const Profile& profile) {
  std::vector<PartColumn> levels;
  for (const Level& level : table_of(profile.kind).levels) levels.push_back(bytes_column(level));
  return part_table(
      joined({first_columns(),
              {launches_column(), time_column("of all launches together"), share_column()},
              levels,
              nearest_columns()}),
      part_rows(profile, profile.kernels.size()), "kernels",
      "Kernels, their time and the bytes they moved");
}

std::vector<PartColumn> work_columns(const Profile& profile) {
  std::vector<PartColumn> levels;
  for (const Level& level : table_of(profile.kind).levels)
    levels.push_back(number_column(
        "ai_" + level.name, "AI " + level.label, "operations per byte moved at " + level.label,
        [&level](const PartRow& row) { return cell::short_number(row.intensity(level)); }));
  const PartColumn precision = text_column("precision", "precision", "", [](const PartRow& row) {
    return TableCell{row.model ? row.model->title : "none"};
  });
  const PartColumn work = number_column("work", "work", "", [](const PartRow& row) {
    return row.model ? cell::prefixed(row.work(), row.model->unit) : TableCell{unknown_text};
  });
  const PartColumn speed = number_column("speed", "speed", "", [](const PartRow& row) {
    return row.model ? row.speed(row.work(), row.model->unit)
                     : cell::prefixed(row.busiest()->bytes_per_s, "B/s");
  });
  return joined({{precision, work},
                 levels,
                 {speed},
                 roof_columns("roof", "the nearest of this precision", "of_roof", "of roof")});
}

Table work_table(const Profile& profile) {
  std::vector<PartRow> rows;
  for (PartRow row : part_rows(profile, profile.kernels.size())) {
    const std::size_t before = rows.size();
    for (const Model& model : table_of(profile.kind).models) {
      row.model = &model;
      if (row.work() > 0) rows.push_back(row);
    }
    row.model = nullptr;
    if (rows.size() == before && row.busiest()) rows.push_back(row);
  }
  return part_table(joined({first_columns(), work_columns(profile)}), rows, "work",
                    "Work of each kernel by precision, and its place under the roofs");
}

Table instructions_table(const Profile& profile) {
  std::vector<PartRow> rows = part_rows(profile, profile.kernels.size());
  std::erase_if(rows, [](const PartRow& row) {
    return !row.part().seconds || row.part().instructions.points.empty();
  });
  std::vector<PartColumn> columns = first_columns();
  for (const ColumnOf<InstructionRow>& one : instruction_columns("inst/txn "))
    columns.push_back(
        {one.head, [cell = one.cell](const PartRow& row) {
           const KernelProfile& kernel = row.part();
           return cell({kernel.name, kernel.metrics, *kernel.seconds, kernel.instructions.points});
         }});
  return part_table(columns, rows, "instructions", "Instructions of each kernel");
}

namespace {

TableCell occupancy_cell(const PartRow& row) {
  const auto found = occupancy_of(*row.profile, row.part());
  return cell::percent(found ? std::optional(100 * found->share()) : std::nullopt, 0);
}

TableCell limiter_cell(const PartRow& row) {
  const auto found = occupancy_of(*row.profile, row.part());
  return TableCell{found ? found->limiter() : unknown_text};
}

TableCell other_forms_cell(const PartRow& row) {
  const std::size_t others = std::max<std::size_t>(row.part().forms.size(), 1) - 1;
  return others == 0 ? TableCell{unknown_text} : cell::integer(static_cast<std::int64_t>(others));
}

const std::string& metric_of(const PartRow& row) {
  return row.model ? row.model->work : row.level->traffic;
}

std::string unit_of(const PartRow& row) { return row.model ? row.model->unit : "B"; }

double amount_of(const PartRow& row) {
  return metric_value(row.stated->metrics, metric_of(row)).value_or(0);
}

TableCell difference_cell(const PartRow& row) {
  const auto counted = row.counted(metric_of(row));
  if (!counted || !(*counted > 0)) return {unknown_text};
  const double percent = 100 * (amount_of(row) / *counted - 1);
  return {fmt::format("{:+.3g}%", percent), percent};
}

/// Adds the amounts of one statement, precisions first.
void add_amounts(PartRow row, std::vector<PartRow>& rows) {
  const ModelTable& table = table_of(row.profile->kind);
  const auto add = [&] {
    if (metric_value(row.stated->metrics, metric_of(row))) rows.push_back(row);
  };
  for (const Model& model : table.models) {
    row.model = &model;
    add();
  }
  row.model = nullptr;
  for (const Level& level : table.levels) {
    row.level = &level;
    add();
  }
}

std::vector<PartColumn> stated_columns() {
  return {text_column("what", "work", "a precision or a level of memory",
                      [](const PartRow& row) {
                        return TableCell{row.model ? row.model->title : row.level->label};
                      }),
          number_column(
              "amount", "amount", "of all launches together",
              [](const PartRow& row) { return cell::prefixed(amount_of(row), unit_of(row)); }),
          number_column("counted", "counted", "the same, as the hardware counted it",
                        [](const PartRow& row) {
                          return cell::prefixed(row.counted(metric_of(row)), unit_of(row));
                        }),
          number_column("difference", "formula over counted", "", difference_cell),
          number_column("speed", "speed", "", [](const PartRow& row) {
            return row.speed(amount_of(row), unit_of(row));
          })};
}

/// Of the form that took most time; unknown without one.
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

}  // namespace

std::vector<PartColumn> form_columns() {
  using Form = const LaunchForm&;
  return {
      form_column("grid", "grid", "blocks in x, y and z",
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
                    "warps that a multiprocessor can hold at a time, of the most", occupancy_cell),
      text_column("limited_by", "limited by", "what allows no more warps", limiter_cell),
      number_column("forms", "other forms", "in which it was launched as well", other_forms_cell)};
}

Table launches_table(const Profile& profile) {
  std::vector<PartRow> rows = part_rows(profile, most_shown);
  std::erase_if(rows, [](const PartRow& row) { return row.part().forms.empty(); });
  return part_table(joined({{index_column(), name_column(32)}, form_columns()}), rows, "launches",
                    "How kernels are launched: the form that took most time");
}

Table stated_table(const Profile& profile) {
  std::vector<PartRow> rows;
  for (PartRow row : part_rows(profile, most_shown))
    if (row.part().stated) {
      row.stated = &*row.part().stated;
      add_amounts(row, rows);
    }
  return part_table(joined({{index_column(), name_column(32)},
                            stated_columns(),
                            roof_columns("roof", "the nearest, by formula", "of_roof", "of it")}),
                    rows, "stated", "Work by formula, not counted");
}

}  // namespace roofline
