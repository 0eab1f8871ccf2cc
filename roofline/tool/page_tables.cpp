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

std::string profile_headline(const Profile& profile) {
  const std::size_t count = profile.kernels.size();
  return fmt::format("{} on {}: {} kernel{}, {}", profile.program,
                     profile.device.empty() ? "a device without a name" : profile.device, count,
                     count == 1 ? "" : "s", describe_seconds(profile.seconds()));
}

TableCell share_cell(const KernelProfile& part, double all_seconds) {
  if (!part.seconds || !(all_seconds > 0)) return {unknown_text};
  return cell::percent(100 * *part.seconds / all_seconds);
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

PartColumn index_column(const std::string& title) {
  return number_column("number", title, "the number in the charts", [](const PartRow& row) {
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
  return number_column("time", "time", note,
                       [](const PartRow& row) { return cell::prefixed(row.part().seconds, "s"); });
}

PartColumn share_column() {
  return number_column("share", "share", "of the time of all kernels", [](const PartRow& row) {
    return share_cell(row.part(), row.rows ? row.rows->all_seconds : row.profile->seconds());
  });
}

PartColumn bytes_column(const Level& level) {
  return number_column(
      "bytes_" + level.name, level.label, "bytes moved at " + level.label,
      [&level](const PartRow& row) { return cell::prefixed(row.counted(level.traffic), "B"); });
}

std::vector<PartColumn> roof_columns(const std::string& name, const std::string& note,
                                     const std::string& share, const std::string& title_of_share) {
  return {
      text_column(name, name, note,
                  [](const PartRow& row) {
                    const auto nearest = row.nearest();
                    return TableCell{nearest ? roof_label(*row.profile, *nearest) : unknown_text};
                  }),
      number_column(share, title_of_share, "the share of it that was reached",
                    [](const PartRow& row) {
                      const auto nearest = row.nearest();
                      return nearest ? TableCell{share_of_roof(nearest->percent), nearest->percent}
                                     : TableCell{unknown_text};
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
    columns.push_back({one.head, [cell = one.cell](const PartRow& row) {
                         const KernelProfile& kernel = row.part();
                         return cell({kernel.name,
                                      instruction_facts(kernel.metrics, *kernel.seconds),
                                      kernel.instructions.points});
                       }});
  return part_table(columns, rows, "instructions", "Instructions of each kernel");
}

}  // namespace roofline
