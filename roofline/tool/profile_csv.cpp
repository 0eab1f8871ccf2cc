// Other programs depend on these columns: new ones may be added, none removed.
#include "roofline/tool/profile_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>

#include "roofline/tool/launch_tables.h"
#include "roofline/tool/page_tables.h"

namespace roofline {
namespace {

PartColumn csv_words(const std::string& name, std::function<std::string(const PartRow&)> text) {
  return text_column(name, name, "", [text](const PartRow& row) { return TableCell{text(row)}; });
}

PartColumn csv_value(const std::string& name, const std::string& unit,
                     std::function<std::optional<double>(const PartRow&)> value) {
  const std::string head = unit.empty() ? name : fmt::format("{} ({})", name, unit);
  return number_column(head, head, "", [value](const PartRow& row) {
    return cell::number(value(row), [](double /*known*/) { return std::string(); });
  });
}

std::string names_of_missing(const PartRow& row) {
  std::vector<std::string> names;
  for (const Missing& missing : row.part().missing) names.push_back(missing.name);
  return fmt::format("{}", fmt::join(names, "; "));
}

/// The work by precision and the bytes by level, with values from `metric`.
std::vector<PartColumn> csv_amounts(
    const ModelTable& table, const std::string& before,
    const std::function<std::optional<double>(const PartRow&, const std::string&)>& metric) {
  std::vector<PartColumn> columns;
  const auto add = [&](const std::string& name, const std::string& unit, const std::string& what) {
    columns.push_back(csv_value(before + name, unit,
                                [metric, what](const PartRow& row) { return metric(row, what); }));
  };
  for (const Model& model : table.models)
    add("work_" + work_key(model.name), model.unit, model.work);
  for (const Level& level : table.levels) add("bytes_" + level.name, "B", level.traffic);
  return columns;
}

/// Adds columns of work computed by formulas.
std::vector<PartColumn> csv_stated(const ModelTable& table) {
  const auto metric = [](const PartRow& row, const std::string& name) {
    const auto& stated = row.part().stated;
    return stated ? metric_value(stated->metrics, name) : std::nullopt;
  };
  const auto by = [](const PartRow& row) { return row.part().stated ? by_formula : ""; };
  return joined({{csv_words("stated", by)}, csv_amounts(table, "stated_", metric)});
}

/// Columns that identify a row.
std::vector<PartColumn> csv_names(By by) {
  if (by == By::range)
    return {csv_words("range",
                      [](const PartRow& row) {
                        return range_path(*row.rows->from, row.rows->ranges[row.index]);
                      }),
            csv_value("own_launches", "",
                      [](const PartRow& row) {
                        return static_cast<double>(row.rows->range(row.index).own.launches);
                      }),
            csv_value("own_time", "s",
                      [](const PartRow& row) { return row.rows->range(row.index).own.seconds; })};
  return {csv_words("kernel", [](const PartRow& row) { return row.part().name; })};
}

std::string name_of_nearest(const PartRow& row) {
  const auto nearest = row.nearest();
  return nearest ? nearest->roof : "";
}

std::optional<double> percent_of_nearest(const PartRow& row) {
  const auto nearest = row.nearest();
  return nearest ? std::optional(nearest->percent) : std::nullopt;
}

std::string who_counted(const PartRow& row) {
  const auto nearest = row.nearest();
  return !nearest ? "" : nearest->by.empty() ? "counted" : nearest->by;
}

std::vector<PartColumn> csv_columns(const ModelTable& table, By by) {
  return joined(
      {{csv_words("program", [](const PartRow& row) { return row.profile->program; }),
        csv_words("device", [](const PartRow& row) { return row.profile->device; }),
        csv_value("rank", "", [](const PartRow& row) { return std::optional<double>(row.rank); })},
       csv_names(by),
       {csv_value("launches", "",
                  [](const PartRow& row) { return static_cast<double>(row.part().launches); }),
        csv_value("time", "s", [](const PartRow& row) { return row.part().seconds; }),
        csv_value("share_of_time", "%",
                  [](const PartRow& row) -> std::optional<double> {
                    const auto& seconds = row.part().seconds;
                    if (!seconds || !(row.rows->all_seconds > 0)) return std::nullopt;
                    return 100 * *seconds / row.rows->all_seconds;
                  })},
       csv_amounts(table, "",
                   [](const PartRow& row, const std::string& name) { return row.counted(name); }),
       {csv_words("nearest_roof", name_of_nearest),
        csv_value("of_nearest_roof", "%", percent_of_nearest),
        csv_words("missing", names_of_missing),
        csv_value("gpu", "",
                  [](const PartRow& row) { return std::optional<double>(row.part().gpu); })},
       form_columns(),
       csv_stated(table),
       {csv_words("nearest_roof_by", who_counted)}});
}

}  // namespace

std::string profiles_csv(const std::vector<RankedProfile>& profiles, By by) {
  std::deque<RowsBy> parts;  // a deque, so that addresses stay valid
  std::vector<PartRow> rows;
  for (const RankedProfile& one : profiles) {
    if (profiles.size() > 1 && !none_by(*one.profile, by).empty()) continue;
    for (PartRow& row : part_rows(parts.emplace_back(rows_by(*one.profile, by)))) {
      row.rank = one.rank;
      rows.push_back(row);
    }
  }
  const std::string kind = profiles.empty() ? "gpu" : profiles.front().profile->kind;
  return csv_text(
      table_of(csv_columns(table_of(kind), by), rows, {"kernels", "Kernels", {}, {}, {}}));
}

}  // namespace roofline
