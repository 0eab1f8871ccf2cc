// The columns are an interface that other programs read: new ones may come, none goes.
#include "roofline/tool/profile_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>

#include "roofline/tool/page_tables.h"
#include "roofline/view/table.h"

namespace roofline {
namespace {

struct CsvKernel {
  const RankedProfile* from;
  const KernelProfile* kernel;

  const Profile& profile() const { return *from->profile; }
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

std::vector<CsvColumn> csv_columns(const ModelTable& table) {
  std::vector<CsvColumn> columns = {
      csv_words("program", [](const CsvKernel& row) { return row.profile().program; }),
      csv_words("device", [](const CsvKernel& row) { return row.profile().device; }),
      csv_value("rank", "",
                [](const CsvKernel& row) { return std::optional<double>(row.from->rank); }),
      csv_words("kernel", [](const CsvKernel& row) { return row.kernel->name; }),
      csv_value("launches", "",
                [](const CsvKernel& row) { return static_cast<double>(row.kernel->launches); }),
      csv_value("time", "s", [](const CsvKernel& row) { return row.kernel->seconds; }),
      csv_value("share_of_time", "%", share_of_time)};
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
  return columns;
}

}  // namespace

std::string profiles_csv(const std::vector<RankedProfile>& profiles) {
  std::vector<CsvKernel> rows;
  for (const RankedProfile& one : profiles)
    for (const KernelProfile& kernel : one.profile->kernels) rows.push_back({&one, &kernel});
  const std::string kind = profiles.empty() ? "gpu" : profiles.front().profile->kind;
  return csv_text(table_of(csv_columns(table_of(kind)), rows, {"kernels", "Kernels", {}, {}, {}}));
}

}  // namespace roofline
