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
#include "roofline/statistics.h"
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

/// The launches with their kernels, longest first.
std::vector<std::pair<const KernelProfile*, const LaunchProfile*>> slowest(const Profile& profile) {
  std::vector<std::pair<const KernelProfile*, const LaunchProfile*>> all;
  for (const KernelProfile& kernel : profile.kernels)
    for (const LaunchProfile& launch : kernel.single) all.emplace_back(&kernel, &launch);
  std::ranges::stable_sort(
      all, [](const auto& a, const auto& b) { return a.second->seconds > b.second->seconds; });
  return all;
}

int depth_of(const Profile& profile, int range) {
  int depth = 0;
  while ((range = profile.ranges[static_cast<std::size_t>(range)].parent) >= 0) ++depth;
  return depth;
}

const LaunchProfile& launch_of(const PartRow& row) { return row.rows->launch(row.index); }

/// Ranges are indented by depth, except those beyond the first, which have their full path.
TableCell by_name_cell(const PartRow& row) {
  const KernelProfile& part = row.part();
  if (row.rows->by != By::range) return {visible(label_of(part, 32)), NAN, visible(part.name)};
  const int range = row.rows->ranges[row.index];
  const std::string path = visible(range_path(*row.rows->from, range));
  if (row.index >= most_shown) return {path};
  std::string text;
  for (int i = 0; i < depth_of(*row.rows->from, range); ++i) text += "\u00a0\u00a0";
  return {text + visible(label_of(part, 32)), NAN, path};
}

/// Returns "132", "16 x 8": trailing ones are omitted.
std::string by_shape(const std::array<std::int64_t, 3>& shape) {
  std::string text = std::to_string(shape[0]);
  if (shape[1] != 1 || shape[2] != 1) text += fmt::format(" x {}", shape[1]);
  if (shape[2] != 1) text += fmt::format(" x {}", shape[2]);
  return text;
}

TableCell range_of_launch(const PartRow& row) {
  const int range = launch_of(row).range;
  const Profile& from = *row.rows->from;
  if (range < 0) return {unknown_text};
  return {visible(shortened(range_text(from.ranges[static_cast<std::size_t>(range)]), 24)), NAN,
          visible(range_path(from, range))};
}

std::vector<PartColumn> by_launch_columns() {
  return {
      number_column("start", "start", "after the first launch that is kept",
                    [](const PartRow& row) { return cell::prefixed(launch_of(row).start, "s"); }),
      number_column("stream", "stream", "by CUPTI's number",
                    [](const PartRow& row) { return cell::integer(launch_of(row).stream); }),
      text_column("range", "range", "of NVTX, around it", range_of_launch),
      text_column("grid", "grid", "in blocks",
                  [](const PartRow& row) { return TableCell{by_shape(launch_of(row).grid)}; }),
      text_column("block", "block", "in threads",
                  [](const PartRow& row) { return TableCell{by_shape(launch_of(row).block)}; })};
}

std::vector<PartColumn> by_own_columns() {
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

std::string by_word(By by) {
  return by == By::range ? "range" : by == By::stream ? "stream" : "kernel";
}

std::vector<PartColumn> by_columns(By by) {
  const bool launch = by == By::launch;
  return joined(
      {{index_column(),
        text_column(by_word(by), by_word(by), "behind it: its whole name", by_name_cell)},
       launch ? by_launch_columns() : std::vector{launches_column()},
       {time_column(launch ? "that it took" : "of all launches")},
       launch ? std::vector<PartColumn>() : std::vector{share_column()},
       by == By::range ? by_own_columns() : std::vector<PartColumn>(),
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
  static const std::map<std::string, By> names = {
      {"kernel", By::kernel}, {"range", By::range}, {"launch", By::launch}, {"stream", By::stream}};
  command
      .add_option_function<std::string>(
          "--by", [&by](const std::string& name) { by = names.at(name); },
          "Rows of the first table: kernel, range (of NVTX), launch or stream")
      ->check(CLI::IsMember(names))
      ->default_str("kernel");
}

std::string none_by(const Profile& profile, By by) {
  if (by == By::range && profile.ranges.empty())
    return "no kernel was launched in an NVTX range: the program can open some with nvtxRangePush "
           "or torch.cuda.nvtx, and then be recorded anew";
  if (by == By::stream && profile.streams.empty())
    return "nothing is known of streams: all kernels ran in one, or another profiler counted them";
  if (by == By::launch && slowest(profile).empty())
    return "no launch is kept by itself: `roofline record --by launch` keeps them";
  return {};
}

RowsBy rows_by(const Profile& profile, By by, std::size_t most) {
  if (const std::string none = none_by(profile, by); !none.empty()) throw InputError(none);
  RowsBy rows{by, &profile, profile.seconds(), {}};
  rows.profile.source = profile.source;
  rows.profile.program = profile.program;
  rows.profile.device = profile.device;
  rows.profile.gpus = profile.gpus;
  rows.profile.kind = profile.kind;
  rows.profile.created = profile.created;
  rows.profile.ceilings = profile.ceilings;
  std::vector<KernelProfile>& parts = rows.profile.kernels;
  if (by == By::kernel) parts = profile.kernels;
  if (by == By::stream) parts = profile.streams;
  if (by == By::range) {
    rows.ranges = order_of_ranges(profile);
    for (const int range : rows.ranges) {
      const RangeProfile& it = profile.ranges[static_cast<std::size_t>(range)];
      parts.push_back(it.all);
      parts.back().notes = it.own.notes;
    }
  }
  if (by == By::launch)
    for (const auto& [kernel, launch] : slowest(profile)) {
      if (parts.size() >= most) break;
      rows.launches.push_back(launch);
      parts.push_back(one_launch(profile, *kernel, *launch));
    }
  if (by == By::stream || by == By::range)
    for (KernelProfile& part : parts) part.shown_as = part.name;
  return rows;
}

std::vector<PartRow> part_rows(const RowsBy& rows) {
  std::vector<PartRow> all = part_rows(rows.profile, rows.profile.kernels.size());
  for (PartRow& row : all) row.rows = &rows;
  return all;
}

ViewTable by_table(const RowsBy& rows) {
  const std::string caption = rows.by == By::launch  ? "The slowest launches"
                              : rows.by == By::range ? "NVTX ranges, each with those in it"
                                                     : "Streams";
  return part_table(by_columns(rows.by), part_rows(rows),
                    rows.by == By::launch ? "launches" : by_word(rows.by) + "s", caption);
}

ViewTable spread_table(const Profile& profile) {
  struct Spread {
    const KernelProfile* kernel;
    std::vector<double> seconds;
  };
  std::vector<Spread> spreads;
  for (const KernelProfile& kernel : profile.kernels) {
    if (kernel.single.empty()) continue;
    spreads.push_back({&kernel, {}});
    for (const LaunchProfile& one : kernel.single) spreads.back().seconds.push_back(one.seconds);
    std::ranges::sort(spreads.back().seconds);
  }
  using SpreadColumn = ColumnOf<Spread>;
  std::vector<SpreadColumn> columns = {
      {{"kernel", "kernel", "behind it: its whole name"},
       [](const Spread& row) {
         return TableCell{visible(label_of(*row.kernel, 40)), NAN, visible(row.kernel->name)};
       }},
      {{"launches", "launches", "that are kept one by one", "", Align::right},
       [](const Spread& row) {
         return cell::integer(static_cast<std::int64_t>(row.seconds.size()));
       }}};
  const std::vector<std::tuple<const char*, const char*, double>> places = {
      {"min", "shortest", 0},
      {"lower_quartile", "lower quartile", 0.25},
      {"median", "median", 0.5},
      {"upper_quartile", "upper quartile", 0.75},
      {"max", "longest", 1}};
  for (const auto& [name, title, share] : places)
    columns.push_back({{name, title, "", "s", Align::right}, [share = share](const Spread& row) {
                         return cell::prefixed(quantile(row.seconds, share), "s");
                       }});
  ViewTable table = table_of(columns, spreads, {"spread", "Times of single launches", {}, {}, {}});
  for (std::size_t i = most_shown; i < table.rows.size(); ++i)
    table.rows[i].tags = {{"all", "yes"}};
  if (profile.launches_left_out > 0)
    table.notes.push_back(
        fmt::format("{} later launches were not kept.", profile.launches_left_out));
  return table;
}

std::string profile_text(const Profile& profile, By by, bool details) {
  if (by == By::kernel)
    return details ? profile_table(profile) + "\n" + profile_charts(profile)
                   : profile_brief(profile);
  const RowsBy rows = rows_by(profile, by, most_shown);
  std::string text = profile_headline(profile) + "\n\n" + shown_text(by_table(rows));
  if (by == By::launch) text += shown_text(spread_table(profile));
  if (details) {
    if (const ViewTable work = work_table(rows.profile); !work.rows.empty())
      text += shown_text(work);
    text += profile_charts(rows.profile);
  }
  if (by != By::launch) text += missing_text(rows.profile) + notes_text(rows.profile);
  if (profile.ceilings) text += fmt::format("Roofs of {}.\n", whose_roofs(profile));
  return text;
}

}  // namespace roofline
