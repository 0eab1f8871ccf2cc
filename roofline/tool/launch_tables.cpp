#include "roofline/tool/launch_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "roofline/base/visible.h"
#include "roofline/tool/show.h"

namespace roofline {
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
