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
#include "roofline/tool/page_tables.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

double seconds_with_inner(const Profile& profile, std::size_t range) {
  return profile.ranges[range].all.seconds.value_or(0);
}

/// Those of the tree that `chosen` holds, each behind the one around it, most time first.
std::vector<int> in_tree_order(const Profile& profile, const std::vector<std::size_t>& chosen) {
  std::map<int, std::vector<std::size_t>> within;  // in the order of `chosen`
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

/// A range has at least the time of those in it, so the first by time are a tree of their own.
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

/// A launch and its kernel, slowest first.
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

/// A row, and the profile that the rows were made of.
struct ByRow {
  const Profile* from;
  const RowsBy* rows;
  std::size_t index;

  const KernelProfile& part() const { return rows->profile.kernels[index]; }
  const LaunchProfile& launch() const { return *rows->launches[index]; }
  const KernelProfile& own() const {
    return from->ranges[static_cast<std::size_t>(rows->ranges[index])].own;
  }
};

using ByColumn = ColumnOf<ByRow>;

ByColumn by_number(const std::string& name, const std::string& title, const std::string& note,
                   std::function<TableCell(const ByRow&)> cell) {
  return {{name, title, note, "", Align::right}, std::move(cell)};
}

TableCell share_of_all(const ByRow& row, const KernelProfile& part) {
  if (!part.seconds || !(row.rows->all_seconds > 0)) return {unknown_text};
  return cell::percent(100 * *part.seconds / row.rows->all_seconds);
}

/// Ranges are set in by their depth, but for those beyond the first, which have their whole path.
TableCell by_name_cell(const ByRow& row) {
  const std::string whole = visible(row.part().name);
  if (row.rows->by != By::range) return {visible(label_of(row.part(), 32)), NAN, whole};
  const int range = row.rows->ranges[row.index];
  if (row.index >= most_shown) return {visible(range_path(*row.from, range))};
  std::string text;
  for (int i = 0; i < depth_of(*row.from, range); ++i) text += "\u00a0\u00a0";
  return {text + visible(label_of(row.part(), 32)), NAN, visible(range_path(*row.from, range))};
}

/// "132", "16 x 8": without ones at the end.
std::string by_shape(const std::array<std::int64_t, 3>& shape) {
  std::string text = std::to_string(shape[0]);
  if (shape[1] != 1 || shape[2] != 1) text += fmt::format(" x {}", shape[1]);
  if (shape[2] != 1) text += fmt::format(" x {}", shape[2]);
  return text;
}

std::vector<ByColumn> by_launch_columns() {
  return {by_number("start", "start", "after the first launch that is kept",
                    [](const ByRow& row) { return cell::prefixed(row.launch().start, "s"); }),
          by_number("stream", "stream", "by CUPTI's number",
                    [](const ByRow& row) { return cell::integer(row.launch().stream); }),
          {{"range", "range", "of NVTX, around it"},
           [](const ByRow& row) {
             const int range = row.launch().range;
             if (range < 0) return TableCell{unknown_text};
             const RangeProfile& it = row.from->ranges[static_cast<std::size_t>(range)];
             return TableCell{visible(shortened(range_text(it), 24)), NAN,
                              visible(range_path(*row.from, range))};
           }},
          {{"grid", "grid", "in blocks"},
           [](const ByRow& row) { return TableCell{by_shape(row.launch().grid)}; }},
          {{"block", "block", "in threads"},
           [](const ByRow& row) { return TableCell{by_shape(row.launch().block)}; }}};
}

std::vector<ByColumn> by_own_columns() {
  return {by_number("own_time", "own time",
                    "of what was launched directly in it, not in a range within it",
                    [](const ByRow& row) { return cell::prefixed(row.own().seconds, "s"); }),
          by_number("own_share", "own share", "of the time of all kernels",
                    [](const ByRow& row) { return share_of_all(row, row.own()); })};
}

std::vector<ByColumn> by_place_columns() {
  return {by_number("speed", "speed", "in the precision of most operations",
                    [](const ByRow& row) {
                      const auto work = most_work(row.from->kind, row.part());
                      if (!work || !row.part().seconds) return TableCell{unknown_text};
                      return cell::prefixed(work->amount / *row.part().seconds,
                                            work->model->unit + "/s");
                    }),
          {{"nearest", "nearest", "the roof that holds back most of its work"},
           [](const ByRow& row) {
             const auto nearest = nearest_of(*row.from, row.part());
             return TableCell{nearest ? roof_label(*row.from, nearest->roof) : unknown_text};
           }},
          by_number("of_it", "of it", "the share of it that was reached", [](const ByRow& row) {
            const auto nearest = nearest_of(*row.from, row.part());
            return nearest ? TableCell{share_of_roof(nearest->percent), nearest->percent}
                           : TableCell{unknown_text};
          })};
}

std::string by_word(By by) {
  return by == By::range ? "range" : by == By::stream ? "stream" : "kernel";
}

std::vector<ByColumn> by_columns(By by) {
  std::vector<ByColumn> columns = {
      by_number(
          "number", "#", "the number in the charts",
          [](const ByRow& row) { return cell::integer(static_cast<std::int64_t>(row.index + 1)); }),
      {{by_word(by), by_word(by), "behind it: its whole name"}, by_name_cell}};
  const auto add = [&columns](const std::vector<ByColumn>& more) {
    columns.insert(columns.end(), more.begin(), more.end());
  };
  if (by == By::launch) add(by_launch_columns());
  if (by != By::launch)
    columns.push_back(by_number("launches", "launches", "", [](const ByRow& row) {
      return cell::integer(row.part().launches);
    }));
  columns.push_back(
      by_number("time", "time", by == By::launch ? "that it took" : "of all launches",
                [](const ByRow& row) { return cell::prefixed(row.part().seconds, "s"); }));
  if (by != By::launch)
    columns.push_back(by_number("share", "share", "of the time of all kernels",
                                [](const ByRow& row) { return share_of_all(row, row.part()); }));
  if (by == By::range) add(by_own_columns());
  add(by_place_columns());
  return columns;
}

}  // namespace

std::optional<MostWork> most_work(const std::string& kind, const KernelProfile& part) {
  std::optional<MostWork> most;
  for (const Model& model : table_of(kind).models) {
    const double amount = metric_value(part.metrics, model.work).value_or(0);
    if (amount > (most ? most->amount : 0)) most = {&model, amount};
  }
  return most;
}

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
  RowsBy rows{by, profile.seconds(), {}};
  rows.profile.source = profile.source;
  rows.profile.program = profile.program;
  rows.profile.device = profile.device;
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

ViewTable by_table(const Profile& profile, const RowsBy& rows) {
  std::vector<ByRow> all;
  for (std::size_t i = 0; i < rows.profile.kernels.size(); ++i) all.push_back({&profile, &rows, i});
  const std::string name = rows.by == By::launch ? "launches" : by_word(rows.by) + "s";
  const std::string caption = rows.by == By::launch  ? "The slowest launches"
                              : rows.by == By::range ? "NVTX ranges, each with those in it"
                                                     : "Streams";
  ViewTable table = table_of(by_columns(rows.by), all, {name, caption, {}, {}, {}});
  for (std::size_t i = most_shown; i < table.rows.size(); ++i)
    table.rows[i].tags = {{"all", "yes"}};
  return without_empty_columns(std::move(table));
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

namespace {

std::string notes_text(const Profile& profile) {
  std::string text;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i)
    for (const std::string& note : profile.kernels[i].notes)
      text += wrapped(fmt::format("note (of {}): {}", i + 1, note), text_width(), 2) + "\n";
  return text;
}

}  // namespace

std::string by_text(const Profile& profile, By by, bool details) {
  const RowsBy rows = rows_by(profile, by, most_shown);
  const auto text_of = [](ViewTable table) {
    const std::size_t more = table.rows.size() - std::min(table.rows.size(), most_shown);
    table.rows.resize(table.rows.size() - more);
    return terminal_text(table, false, text_width()) +
           (more > 0 ? fmt::format("And {} more: --csv lists all.\n", more) : "") + "\n";
  };
  std::string text = profile_headline(profile) + "\n\n" + text_of(by_table(profile, rows));
  if (by == By::launch) text += text_of(spread_table(profile));
  if (details) {
    if (const ViewTable work = work_table(rows.profile); !work.rows.empty()) text += text_of(work);
    text += profile_charts(rows.profile);
  }
  if (by != By::launch) text += missing_text(rows.profile) + notes_text(rows.profile);
  if (profile.ceilings) text += fmt::format("Roofs of {}.\n", whose_roofs(profile));
  return text;
}

}  // namespace roofline
