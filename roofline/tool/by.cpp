#include "roofline/tool/by.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

#include "roofline/base/error.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

double seconds_with_inner(const Profile& profile, std::size_t range) {
  return profile.ranges[range].all.seconds.value_or(0);
}

/// The `chosen` ranges in preorder of the tree; siblings are sorted by time, longest first.
std::vector<int> in_tree_order(const Profile& profile, const std::vector<std::size_t>& chosen) {
  std::map<int, std::vector<std::size_t>> within;  // indices in `chosen`, by parent
  for (const std::size_t range : chosen) within[profile.ranges[range].parent].push_back(range);
  std::vector<char> is_chosen(profile.ranges.size(), 0);
  for (const std::size_t range : chosen) is_chosen[range] = 1;
  std::vector<int> order, open;
  for (std::size_t i = chosen.size(); i-- > 0;) {
    const int parent = profile.ranges[chosen[i]].parent;
    if (parent < 0 || is_chosen[static_cast<std::size_t>(parent)] == 0)
      open.push_back(static_cast<int>(chosen[i]));
  }
  while (!open.empty()) {
    const int range = open.back();
    open.pop_back();
    order.push_back(range);
    const std::vector<std::size_t>& inner = within[range];
    for (std::size_t i = inner.size(); i-- > 0;) open.push_back(static_cast<int>(inner[i]));
  }
  return order;
}

/// A range has at least the time of its nested ranges, so the longest ones form a subtree.
std::vector<int> order_of_ranges(const Profile& profile) {
  std::vector<std::size_t> by_time;
  for (std::size_t i = 0; i < profile.ranges.size(); ++i)
    if (profile.ranges[i].all.launches > 0) by_time.push_back(i);
  std::ranges::stable_sort(by_time, [&profile](std::size_t a, std::size_t b) {
    return seconds_with_inner(profile, a) > seconds_with_inner(profile, b);
  });
  const auto shown =
      by_time.begin() + static_cast<std::ptrdiff_t>(std::min(by_time.size(), most_shown));
  std::vector<int> order = in_tree_order(profile, {by_time.begin(), shown});
  const std::vector<int> rest = in_tree_order(profile, {shown, by_time.end()});
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

int depth_of(const Profile& profile, int range) {
  int depth = 0;
  while ((range = profile.ranges[static_cast<std::size_t>(range)].parent) >= 0) ++depth;
  return depth;
}

/// Ranges are indented by depth, except those beyond the first, which have their full path.
TableCell range_name_cell(const PartRow& row) {
  const int range = row.rows->ranges[row.index];
  const std::string path = visible(range_path(*row.rows->from, range));
  if (row.index >= most_shown) return {path};
  std::string text;
  for (int i = 0; i < depth_of(*row.rows->from, range); ++i) text += "\u00a0\u00a0";
  return {text + visible(label_of(row.part(), 32)), NAN, path};
}

std::vector<PartColumn> own_columns() {
  return {
      number_column("own_time", "own time",
                    "of what was launched directly in it, not in a range within it",
                    [](const PartRow& row) {
                      return cell::prefixed(row.rows->range(row.index).own.seconds, "s");
                    }),
      number_column("own_share", "own share", "of the time of all kernels", [](const PartRow& row) {
        return share_cell(row.rows->range(row.index).own, row.rows->all_seconds);
      })};
}

/// The speed in the precision with most counted operations, with or without a known roof.
TableCell most_speed(const PartRow& row) {
  const Model* most = nullptr;
  double amount = 0;
  for (const Model& model : table_of(row.profile->kind).models)
    if (const double work = row.counted(model.work).value_or(0); work > amount) {
      most = &model;
      amount = work;
    }
  return most != nullptr ? row.speed(amount, most->unit) : TableCell{unknown_text};
}

std::vector<PartColumn> range_columns() {
  return joined(
      {{index_column(), text_column("range", "range", "behind it: its whole name", range_name_cell),
        launches_column(), time_column("of all launches"), share_column()},
       own_columns(),
       {number_column("speed", "speed", "in the precision of most operations", most_speed)},
       nearest_columns()});
}

std::string notes_text(const Profile& profile) {
  std::string text;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i)
    for (const std::string& note : profile.kernels[i].notes)
      text += paragraph(fmt::format("note (of {}): {}", i + 1, note), 2, text_width());
  return text;
}

}  // namespace

void add_by_option(CLI::App& command, By& by) {
  static const std::map<std::string, By> names = {{"kernel", By::kernel}, {"range", By::range}};
  command
      .add_option_function<std::string>(
          "--by", [&by](const std::string& name) { by = names.at(name); },
          "Rows of the first table: kernel, or range (of NVTX)")
      ->check(CLI::IsMember(names))
      ->default_str("kernel");
}

std::string none_by(const Profile& profile, By by) {
  if (by == By::kernel || !profile.ranges.empty()) return {};
  return "no kernel was launched in an NVTX range: the program can open some with nvtxRangePush "
         "or torch.cuda.nvtx, and then be recorded anew";
}

RowsBy rows_by(const Profile& profile, By by) {
  if (const std::string none = none_by(profile, by); !none.empty()) throw InputError(none);
  RowsBy rows{&profile, profile.seconds(), profile};
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

std::vector<PartRow> part_rows(const RowsBy& rows) {
  std::vector<PartRow> all = part_rows(rows.profile, rows.profile.kernels.size());
  for (PartRow& row : all) row.rows = &rows;
  return all;
}

Table ranges_table(const RowsBy& rows) {
  return part_table(range_columns(), part_rows(rows), "ranges",
                    "NVTX ranges, each with those in it");
}

std::string profile_text(const Profile& profile, By by, bool details) {
  if (by == By::kernel)
    return details ? profile_table(profile) + "\n" + profile_charts(profile)
                   : profile_brief(profile);
  const RowsBy rows = rows_by(profile, by);
  std::string text = profile_headline(profile) + "\n\n" + shown_text(ranges_table(rows));
  if (details) {
    if (const Table work = work_table(rows.profile); !work.rows.empty()) text += shown_text(work);
    text += profile_charts(rows.profile);
  }
  text += missing_text(rows.profile) + notes_text(rows.profile);
  if (profile.ceilings) text += fmt::format("Roofs of {}.\n", whose_roofs(profile));
  return text;
}

}  // namespace roofline
