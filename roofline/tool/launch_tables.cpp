#include "roofline/tool/launch_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "roofline/base/visible.h"
#include "roofline/stated_work.h"
#include "roofline/tool/page_tables.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

/// A kernel, and an amount that was stated of it.
struct LaunchRow {
  std::size_t index = 0;
  const Profile* profile = nullptr;
  const StatedWork* stated = nullptr;
  std::string what = {}, metric = {}, unit = {};
  const RooflinePoint* point = nullptr;

  const KernelProfile& kernel() const { return profile->kernels[index]; }
  const LaunchForm& form() const { return kernel().forms.front().form; }
  double amount() const { return metric_value(stated->metrics, metric).value_or(0); }
  std::optional<double> counted() const { return metric_value(kernel().metrics, metric); }
};

using LaunchColumn = ColumnOf<LaunchRow>;

LaunchColumn launch_column(const std::string& name, const std::string& title,
                           const std::string& note, Align align,
                           std::function<TableCell(const LaunchRow&)> cell) {
  return {{name, title, note, "", align}, std::move(cell)};
}

std::vector<LaunchColumn> kernel_columns() {
  return {launch_column("number", "#", "the number in the charts", Align::right,
                        [](const LaunchRow& row) {
                          return cell::integer(static_cast<std::int64_t>(row.index + 1));
                        }),
          launch_column("kernel", "kernel", "", Align::left, [](const LaunchRow& row) {
            return TableCell{visible(shown_name(row.kernel(), 32))};
          })};
}

ViewTable with_kernels(std::vector<LaunchColumn> more, const std::vector<LaunchRow>& rows,
                       ViewTable table) {
  std::vector<LaunchColumn> columns = kernel_columns();
  std::ranges::move(more, std::back_inserter(columns));
  return without_empty_columns(table_of(columns, rows, std::move(table)));
}

TableCell occupancy_cell(const LaunchRow& row) {
  const auto found = occupancy_of(*row.profile, row.kernel());
  return cell::percent(found ? std::optional(100 * found->share()) : std::nullopt, 0);
}

TableCell limiter_cell(const LaunchRow& row) {
  const auto found = occupancy_of(*row.profile, row.kernel());
  return TableCell{found ? found->limiter() : "-"};
}

TableCell difference_cell(const LaunchRow& row) {
  const auto counted = row.counted();
  if (!counted || !(*counted > 0)) return {"-"};
  const double percent = 100 * (row.amount() / *counted - 1);
  return {fmt::format("{:+.3g}%", percent), percent};
}

/// The amounts of one statement: precisions first.
void add_amounts(LaunchRow row, std::vector<LaunchRow>& rows) {
  const ModelTable& table = table_of(row.profile->kind);
  const auto add = [&](const std::string& what, const std::string& metric, const std::string& unit,
                       const RooflinePoint* point) {
    if (!metric_value(row.stated->metrics, metric)) return;
    row.what = what;
    row.metric = metric;
    row.unit = unit;
    row.point = point;
    rows.push_back(row);
  };
  for (const Model& model : table.models) {
    const auto& points = row.stated->placed.points;
    const auto point = std::ranges::find(points, model.name, &RooflinePoint::precision);
    add(model.title, model.work, model.unit, point == points.end() ? nullptr : &*point);
  }
  for (const Level& level : table.levels) add(level.label, level.traffic, "B", nullptr);
}

std::vector<LaunchColumn> stated_columns() {
  using enum Align;
  return {
      launch_column("what", "work", "a precision or a level of memory", left,
                    [](const LaunchRow& row) { return TableCell{row.what}; }),
      launch_column("by", "stated", "who says so", left,
                    [](const LaunchRow& row) { return TableCell{stated_text(row.stated->by)}; }),
      launch_column("amount", "amount", "of all launches together", right,
                    [](const LaunchRow& row) { return cell::prefixed(row.amount(), row.unit); }),
      launch_column("counted", "counted", "the same, as the hardware counted it", right,
                    [](const LaunchRow& row) { return cell::prefixed(row.counted(), row.unit); }),
      launch_column("difference", "stated over counted", "", right, difference_cell),
      launch_column("speed", "speed", "", right,
                    [](const LaunchRow& row) {
                      const auto& seconds = row.kernel().seconds;
                      return cell::prefixed(
                          seconds ? std::optional(row.amount() / *seconds) : std::nullopt,
                          row.unit + "/s");
                    }),
      launch_column("roof", "roof", "the nearest, by what was stated", left,
                    [](const LaunchRow& row) {
                      return TableCell{row.point ? roof_label(*row.profile, row.point->bound_by)
                                                 : "-"};
                    }),
      launch_column("of_roof", "of it", "the share of it that was reached", right,
                    [](const LaunchRow& row) {
                      return row.point ? TableCell{share_of_roof(row.point->percent_of_roof),
                                                   row.point->percent_of_roof}
                                       : TableCell{"-"};
                    })};
}

}  // namespace

std::string extent_text(const std::array<std::int64_t, 3>& extent) {
  return fmt::format("{}", fmt::join(extent, "x"));
}

ViewTable launches_table(const Profile& profile) {
  using enum Align;
  const auto whole = [](std::int64_t LaunchForm::*member) {
    return [member](const LaunchRow& row) { return cell::integer(row.form().*member); };
  };
  std::vector<LaunchRow> rows;
  for (std::size_t i = 0; i < std::min(profile.kernels.size(), most_shown); ++i)
    if (!profile.kernels[i].forms.empty()) rows.push_back({i, &profile});
  return with_kernels(
      {launch_column("grid", "grid", "blocks in x, y and z", right,
                     [](const LaunchRow& row) { return TableCell{extent_text(row.form().grid)}; }),
       launch_column("block", "block", "threads in x, y and z", right,
                     [](const LaunchRow& row) { return TableCell{extent_text(row.form().block)}; }),
       launch_column("registers", "registers", "of a thread", right,
                     [](const LaunchRow& row) { return cell::integer(row.form().registers); }),
       launch_column("static_shared", "static shared (B)", "shared memory of a block", right,
                     whole(&LaunchForm::static_shared)),
       launch_column("dynamic_shared", "dynamic (B)", "shared memory asked for at the launch",
                     right, whole(&LaunchForm::dynamic_shared)),
       launch_column("occupancy", "occupancy",
                     "warps that a multiprocessor can hold at a time, of the most", right,
                     occupancy_cell),
       launch_column("limited_by", "limited by", "what allows no more warps", left, limiter_cell),
       launch_column("forms", "other forms", "in which it was launched as well", right,
                     [](const LaunchRow& row) {
                       const std::size_t others = row.kernel().forms.size() - 1;
                       return others == 0 ? TableCell{"-"}
                                          : cell::integer(static_cast<std::int64_t>(others));
                     })},
      rows, {"launches", "How kernels are launched: the form that took most time", {}, {}, {}});
}

ViewTable stated_table(const Profile& profile) {
  std::vector<LaunchRow> rows;
  for (std::size_t i = 0; i < std::min(profile.kernels.size(), most_shown); ++i)
    for (const StatedWork& stated : profile.kernels[i].stated)
      add_amounts({i, &profile, &stated}, rows);
  return with_kernels(stated_columns(), rows,
                      {"stated", "Work that was stated, not counted", {}, {}, {}});
}

}  // namespace roofline
