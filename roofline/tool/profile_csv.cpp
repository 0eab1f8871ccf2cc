// The columns are an interface that other programs read: new ones may come, none goes.
#include "roofline/tool/profile_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <functional>

#include "roofline/stated_work.h"
#include "roofline/tool/launch_tables.h"
#include "roofline/tool/page_tables.h"
#include "roofline/view/table.h"

namespace roofline {
namespace {

struct CsvKernel {
  const RankedProfile* from;
  const RowsBy* rows;
  std::size_t index;
  const KernelProfile* kernel;

  const Profile& profile() const { return *from->profile; }
  int range() const { return rows->ranges[index]; }
  const LaunchProfile& launch() const { return *rows->launches[index]; }
};

using CsvColumn = ColumnOf<CsvKernel>;

CsvColumn csv_words(const std::string& name, std::function<std::string(const CsvKernel&)> text) {
  return {{name, name}, [text](const CsvKernel& row) { return TableCell{text(row)}; }};
}

CsvColumn csv_value(const std::string& name, const std::string& unit,
                    std::function<std::optional<double>(const CsvKernel&)> value) {
  const std::string head = unit.empty() ? name : fmt::format("{} ({})", name, unit);
  return {{head, head}, [value](const CsvKernel& row) {
            const std::optional<double> known = value(row);
            return known ? TableCell{"", *known} : TableCell{};
          }};
}

std::optional<double> share_of_time(const CsvKernel& row) {
  const double all = row.profile().seconds();
  if (!row.kernel->seconds || !(all > 0)) return std::nullopt;
  return 100 * *row.kernel->seconds / all;
}

const KernelProfile& csv_own(const CsvKernel& row) {
  return row.profile().ranges[static_cast<std::size_t>(row.range())].own;
}

std::string names_of_missing(const CsvKernel& row) {
  std::vector<std::string> names;
  for (const Missing& missing : row.kernel->missing) names.push_back(missing.name);
  return fmt::format("{}", fmt::join(names, "; "));
}

/// The counted work of each precision, and the bytes of each level.
void add_counts(const ModelTable& table, std::vector<CsvColumn>& columns) {
  const auto metric = [](const std::string& name) {
    return [name](const CsvKernel& row) { return metric_value(row.kernel->metrics, name); };
  };
  for (const Model& model : table.models)
    columns.push_back(csv_value("work_" + work_key(model.name), model.unit, metric(model.work)));
  for (const Level& level : table.levels)
    columns.push_back(csv_value("bytes_" + level.name, "B", metric(level.traffic)));
}

/// The form of the launches that took most time.
void add_form(std::vector<CsvColumn>& columns) {
  const auto of_form = [](auto value) {
    return [value](const CsvKernel& row) {
      return row.kernel->forms.empty()
                 ? std::nullopt
                 : std::optional(static_cast<double>(value(row.kernel->forms.front().form)));
    };
  };
  const auto extent = [](std::array<std::int64_t, 3> LaunchForm::*member) {
    return [member](const CsvKernel& row) {
      return row.kernel->forms.empty() ? "" : extent_text(row.kernel->forms.front().form.*member);
    };
  };
  columns.push_back(csv_words("grid", extent(&LaunchForm::grid)));
  columns.push_back(csv_words("block", extent(&LaunchForm::block)));
  columns.push_back(
      csv_value("registers", "", of_form([](const LaunchForm& form) { return form.registers; })));
  columns.push_back(csv_value("static_shared", "B",
                              of_form([](const LaunchForm& form) { return form.static_shared; })));
  columns.push_back(csv_value("dynamic_shared", "B",
                              of_form([](const LaunchForm& form) { return form.dynamic_shared; })));
  columns.push_back(csv_value("occupancy", "%", [](const CsvKernel& row) -> std::optional<double> {
    const auto occupancy = occupancy_of(row.profile(), *row.kernel);
    return occupancy ? std::optional(100 * occupancy->share()) : std::nullopt;
  }));
}

/// What was stated, by a formula where there is one, else by the program.
void add_stated(const ModelTable& table, std::vector<CsvColumn>& columns) {
  const auto metric = [](const std::string& name) {
    return [name](const CsvKernel& row) {
      return row.kernel->stated.empty() ? std::nullopt
                                        : metric_value(row.kernel->stated.front().metrics, name);
    };
  };
  columns.push_back(csv_words("stated", [](const CsvKernel& row) {
    return row.kernel->stated.empty() ? "" : stated_text(row.kernel->stated.front().by);
  }));
  for (const Model& model : table.models)
    columns.push_back(
        csv_value("stated_work_" + work_key(model.name), model.unit, metric(model.work)));
  for (const Level& level : table.levels)
    columns.push_back(csv_value("stated_bytes_" + level.name, "B", metric(level.traffic)));
}

std::string csv_range(const CsvKernel& row, int range) { return range_path(row.profile(), range); }

/// What tells a row from others.
std::vector<CsvColumn> csv_names(By by) {
  if (by == By::range)
    return {
        csv_words("range", [](const CsvKernel& row) { return csv_range(row, row.range()); }),
        csv_value("own_launches", "",
                  [](const CsvKernel& row) { return static_cast<double>(csv_own(row).launches); }),
        csv_value("own_time", "s", [](const CsvKernel& row) { return csv_own(row).seconds; })};
  if (by == By::stream)
    return {csv_words("stream", [](const CsvKernel& row) { return row.kernel->name; })};
  std::vector<CsvColumn> columns = {
      csv_words("kernel", [](const CsvKernel& row) { return row.kernel->name; })};
  if (by == By::kernel) return columns;
  const auto add = [&columns](const std::string& name, const std::string& unit, auto value) {
    columns.push_back(csv_value(name, unit, [value](const CsvKernel& row) {
      return static_cast<double>(value(row.launch()));
    }));
  };
  columns.push_back(
      csv_words("range", [](const CsvKernel& row) { return csv_range(row, row.launch().range); }));
  add("process", "", [](const LaunchProfile& launch) { return launch.process; });
  add("stream", "", [](const LaunchProfile& launch) { return launch.stream; });
  add("start", "s", [](const LaunchProfile& launch) { return launch.start; });
  for (std::size_t i = 0; i < 3; ++i)
    add(fmt::format("grid_{}", "xyz"[i]), "",
        [i](const LaunchProfile& one) { return one.grid[i]; });
  for (std::size_t i = 0; i < 3; ++i)
    add(fmt::format("block_{}", "xyz"[i]), "",
        [i](const LaunchProfile& one) { return one.block[i]; });
  return columns;
}

std::vector<CsvColumn> csv_columns(const ModelTable& table, By by) {
  std::vector<CsvColumn> columns = {
      csv_words("program", [](const CsvKernel& row) { return row.profile().program; }),
      csv_words("device", [](const CsvKernel& row) { return row.profile().device; }),
      csv_value("rank", "",
                [](const CsvKernel& row) { return std::optional<double>(row.from->rank); })};
  for (CsvColumn& column : csv_names(by)) columns.push_back(std::move(column));
  for (CsvColumn& column : std::vector<CsvColumn>{
           csv_value(
               "launches", "",
               [](const CsvKernel& row) { return static_cast<double>(row.kernel->launches); }),
           csv_value("time", "s", [](const CsvKernel& row) { return row.kernel->seconds; }),
           csv_value("share_of_time", "%", share_of_time)})
    columns.push_back(std::move(column));
  add_counts(table, columns);
  columns.push_back(csv_words("nearest_roof", [](const CsvKernel& row) {
    const auto nearest = nearest_of(row.profile(), *row.kernel);
    return nearest ? nearest->roof : "";
  }));
  columns.push_back(
      csv_value("of_nearest_roof", "%", [](const CsvKernel& row) -> std::optional<double> {
        const auto nearest = nearest_of(row.profile(), *row.kernel);
        return nearest ? std::optional(nearest->percent) : std::nullopt;
      }));
  columns.push_back(csv_words("missing", names_of_missing));
  columns.push_back(csv_value(
      "gpu", "", [](const CsvKernel& row) { return std::optional<double>(row.kernel->gpu); }));
  add_form(columns);
  add_stated(table, columns);
  columns.push_back(csv_words("nearest_roof_by", [](const CsvKernel& row) {
    const auto nearest = nearest_of(row.profile(), *row.kernel);
    return !nearest ? "" : nearest->by.empty() ? "counted" : nearest->by;
  }));
  return columns;
}

}  // namespace

std::string profiles_csv(const std::vector<RankedProfile>& profiles, By by) {
  std::deque<RowsBy> parts;  // which stay where they are
  std::vector<CsvKernel> rows;
  for (const RankedProfile& one : profiles) {
    if (profiles.size() > 1 && !none_by(*one.profile, by).empty()) continue;
    const RowsBy& part = parts.emplace_back(rows_by(*one.profile, by));
    for (std::size_t i = 0; i < part.profile.kernels.size(); ++i)
      rows.push_back({&one, &part, i, &part.profile.kernels[i]});
  }
  const std::string kind = profiles.empty() ? "gpu" : profiles.front().profile->kind;
  return csv_text(
      table_of(csv_columns(table_of(kind), by), rows, {"kernels", "Kernels", {}, {}, {}}));
}

}  // namespace roofline
