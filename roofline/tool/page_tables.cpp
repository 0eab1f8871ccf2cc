#include "roofline/tool/page_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/import/import.h"
#include "roofline/instruction_table.h"
#include "roofline/points.h"
#include "roofline/stated_work.h"
#include "roofline/tool/show.h"

namespace roofline {

std::string roof_label(const Profile& profile, const std::string& roof) {
  for (const Level& level : table_of(profile.kind).levels)
    if (level.name == roof) return level.label;
  return roof;
}

std::string roof_label(const Profile& profile, const Nearest& nearest) {
  const std::string label = roof_label(profile, nearest.roof);
  return nearest.by.empty() ? label : label + ", " + nearest.by;
}

std::optional<Nearest> nearest_stated(const Profile& profile, const KernelProfile& kernel,
                                      const StatedWork& stated) {
  if (const RooflinePoint* point = stated.placed.leading())
    return Nearest{point->bound_by, point->percent_of_roof, stated_text(stated.by)};
  if (const auto busiest = busiest_level(profile, kernel, stated.metrics))
    return Nearest{busiest->level, busiest->percent, stated_text(stated.by)};
  return std::nullopt;
}

std::optional<Nearest> nearest_of(const Profile& profile, const KernelProfile& kernel) {
  if (const RooflinePoint* point = kernel.placed.leading())
    return Nearest{point->bound_by, point->percent_of_roof};
  if (const auto busiest = busiest_level(profile, kernel, kernel.metrics))
    return Nearest{busiest->level, busiest->percent};
  for (const StatedWork& stated : kernel.stated)
    if (const auto nearest = nearest_stated(profile, kernel, stated)) return nearest;
  return std::nullopt;
}

namespace {

bool is_above(double percent) { return percent > 100 * (1 + tolerance); }

}  // namespace

std::string share_of_roof(double percent) {
  return percent_text(percent) + (is_above(percent) ? " !" : "");
}

std::vector<std::string> above_roofs(const Profile& profile) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
    const auto nearest = nearest_of(profile, profile.kernels[i]);
    if (nearest && is_above(nearest->percent))
      lines.push_back(fmt::format(
          "kernel {}: {} of {}, which no roof allows: its time, a count, a unit or the roof is "
          "wrong",
          i + 1, percent_text(nearest->percent), roof_label(profile, *nearest)));
  }
  return lines;
}

std::string foreign_roofs(const Profile& profile) {
  if (profile.device.empty() || profile.ceilings->device == profile.device) return {};
  const std::string own = published_name(profile.device, profile.kind);
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

std::string profile_headline(const Profile& profile) {
  const std::size_t count = profile.kernels.size();
  return fmt::format("{} on {}: {} kernel{}, {}", profile.program,
                     profile.device.empty() ? "a device without a name" : profile.device, count,
                     count == 1 ? "" : "s", describe_seconds(profile.seconds()));
}

TableCell share_cell(const Profile& profile, const KernelProfile& kernel) {
  const double all = profile.seconds();
  if (!kernel.seconds || !(all > 0)) return {"-"};
  return cell::percent(100 * *kernel.seconds / all);
}

namespace {

/// A kernel, or one precision of its work.
struct KernelRow {
  std::size_t index = 0;
  const Profile* profile = nullptr;
  const Model* model = nullptr;

  const KernelProfile& kernel() const { return profile->kernels[index]; }
  double work() const { return metric_value(kernel().metrics, model->work).value_or(0); }
  std::optional<double> bytes(const Level& level) const {
    return metric_value(kernel().metrics, level.traffic);
  }
  const RooflinePoint* point() const {
    for (const RooflinePoint& one : kernel().placed.points)
      if (one.precision == model->name) return &one;
    return nullptr;
  }
};

using Column = ColumnOf<KernelRow>;

Column number(const std::string& name, const std::string& title, const std::string& note,
              std::function<TableCell(const KernelRow&)> cell) {
  return {{name, title, note, "", Align::right}, std::move(cell)};
}

Column words(const std::string& name, const std::string& title, const std::string& note,
             std::function<TableCell(const KernelRow&)> cell) {
  return {{name, title, note}, std::move(cell)};
}

/// The short name; the whole one behind it, where it tells more.
TableCell name_cell(const KernelRow& row) {
  const std::string whole = visible(row.kernel().name);
  const std::string brief = visible(label_of(row.kernel()));
  return {brief, NAN, whole == brief ? "" : whole};
}

std::vector<Column> first_columns() {
  return {number("number", "#", "the number in the charts",
                 [](const KernelRow& row) {
                   return cell::integer(static_cast<std::int64_t>(row.index + 1));
                 }),
          words("kernel", "kernel", "a click shows the whole name", name_cell)};
}

/// With the first `most_shown` kernels always, the others with the switch "all".
ViewTable table_with(const std::vector<Column>& more, const std::vector<KernelRow>& rows,
                     const std::string& name, const std::string& caption) {
  std::vector<Column> columns = first_columns();
  columns.insert(columns.end(), more.begin(), more.end());
  ViewTable table = table_of(columns, rows, {name, caption, {}, {}, {}});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].index >= most_shown) table.rows[i].tags = {{"all", "yes"}};
  return without_empty_columns(std::move(table));
}

std::vector<KernelRow> rows_of(const Profile& profile) {
  std::vector<KernelRow> rows;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i) rows.push_back({i, &profile});
  return rows;
}

}  // namespace

ViewTable kernels_table(const Profile& profile) {
  std::vector<Column> columns = {
      number("launches", "launches", "",
             [](const KernelRow& row) { return cell::integer(row.kernel().launches); }),
      number("time", "time", "of all launches together",
             [](const KernelRow& row) { return cell::prefixed(row.kernel().seconds, "s"); }),
      number("share", "share", "of the time of all kernels",
             [](const KernelRow& row) { return share_cell(*row.profile, row.kernel()); })};
  for (const Level& level : table_of(profile.kind).levels)
    columns.push_back(
        number("bytes_" + level.name, level.label, "bytes moved at " + level.label,
               [&level](const KernelRow& row) { return cell::prefixed(row.bytes(level), "B"); }));
  columns.push_back(words("nearest", "nearest", "the roof that holds back most of its work",
                          [](const KernelRow& row) {
                            const auto nearest = nearest_of(*row.profile, row.kernel());
                            return TableCell{nearest ? roof_label(*row.profile, *nearest) : "-"};
                          }));
  columns.push_back(number(
      "of_it", "of it", "the share of its nearest roof that was reached", [](const KernelRow& row) {
        const auto nearest = nearest_of(*row.profile, row.kernel());
        return cell::percent(nearest ? std::optional(nearest->percent) : std::nullopt);
      }));
  return table_with(columns, rows_of(profile), "kernels",
                    "Kernels, their time and the bytes they moved");
}

ViewTable work_table(const Profile& profile) {
  const ModelTable& models = table_of(profile.kind);
  std::vector<KernelRow> rows;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i)
    for (const Model& model : models.models)
      if (const KernelRow row{i, &profile, &model}; row.work() > 0) rows.push_back(row);
  std::vector<Column> columns = {
      words("precision", "precision", "",
            [](const KernelRow& row) { return TableCell{row.model->title}; }),
      number("work", "work", "",
             [](const KernelRow& row) { return cell::prefixed(row.work(), row.model->unit); })};
  for (const Level& level : models.levels)
    columns.push_back(
        number("ai_" + level.name, "AI " + level.label,
               "operations per byte moved at " + level.label, [&level](const KernelRow& row) {
                 const auto bytes = row.bytes(level);
                 return cell::short_number(bytes && *bytes > 0 ? std::optional(row.work() / *bytes)
                                                               : std::nullopt);
               }));
  columns.push_back(number("speed", "speed", "", [](const KernelRow& row) {
    const auto& seconds = row.kernel().seconds;
    return cell::prefixed(seconds ? std::optional(row.work() / *seconds) : std::nullopt,
                          row.model->unit + "/s");
  }));
  columns.push_back(
      words("roof", "roof", "the nearest of this precision", [](const KernelRow& row) {
        const RooflinePoint* point = row.point();
        return TableCell{point ? roof_label(*row.profile, point->bound_by) : "-"};
      }));
  columns.push_back(
      number("of_roof", "of roof", "the share of it that was reached", [](const KernelRow& row) {
        const RooflinePoint* point = row.point();
        return cell::percent(point ? std::optional(point->percent_of_roof) : std::nullopt);
      }));
  return table_with(columns, rows, "work",
                    "Work of each kernel by precision, and its place under the roofs");
}

ViewTable instructions_table(const Profile& profile) {
  std::vector<KernelRow> rows;
  for (const KernelRow& row : rows_of(profile))
    if (row.kernel().seconds && !row.kernel().instructions.points.empty()) rows.push_back(row);
  std::vector<Column> columns;
  for (const ColumnOf<InstructionRow>& one : instruction_columns("inst/txn "))
    columns.push_back({one.head, [cell = one.cell](const KernelRow& row) {
                         const KernelProfile& kernel = row.kernel();
                         return cell({kernel.name,
                                      instruction_facts(kernel.metrics, *kernel.seconds),
                                      kernel.instructions.points});
                       }});
  return table_with(columns, rows, "instructions", "Instructions of each kernel");
}

}  // namespace roofline
