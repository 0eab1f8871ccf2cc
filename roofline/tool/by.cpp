#include "roofline/tool/by.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"
#include "roofline/tool/show.h"
#include "roofline/view/chart_files.h"

namespace roofline {
namespace {

/// The ranges in preorder of their tree, siblings by time; the longest of all come first. A range
/// has at least the time of its nested ranges, so the longest form a tree as well.
std::vector<int> order_of_ranges(const Profile& profile) {
  const auto& ranges = profile.ranges;
  std::vector<int> by_time;
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (ranges[i].all.launches > 0) by_time.push_back(static_cast<int>(i));
  std::ranges::stable_sort(by_time, std::greater(), [&ranges](int range) {
    return ranges[static_cast<std::size_t>(range)].all.seconds.value_or(0);
  });
  std::map<int, std::vector<int>> within;  // by parent; -1 has none
  for (const int range : by_time)
    within[ranges[static_cast<std::size_t>(range)].parent].push_back(range);
  std::vector<int> order, open(within[-1].rbegin(), within[-1].rend());
  while (!open.empty()) {
    const std::vector<int>& inner = within[order.emplace_back(open.back())];
    open.pop_back();
    open.insert(open.end(), inner.rbegin(), inner.rend());
  }
  by_time.resize(std::min(by_time.size(), most_shown));
  std::ranges::stable_partition(
      order, [&by_time](int range) { return std::ranges::find(by_time, range) != by_time.end(); });
  return order;
}

int depth_of(const Profile& profile, int range) {
  int depth = 0;
  while ((range = profile.ranges[static_cast<std::size_t>(range)].parent) >= 0) ++depth;
  return depth;
}

/// Ranges are indented by depth.
TableCell range_name_cell(const PartRow& row) {
  const int range = row.rows->ranges[row.index];
  const std::string path = visible(range_path(*row.rows->from, range));
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
        return share_cell(row.rows->range(row.index).own.seconds, row.rows->from->seconds());
      })};
}

std::vector<PartColumn> range_columns() {
  return joined(
      {{index_column(), text_column("range", "range", "behind it: its whole name", range_name_cell),
        launches_column(), time_column("of all launches"), share_column()},
       own_columns(),
       nearest_columns()});
}

}  // namespace

void add_showing_options(CLI::App& command, Showing& showing) {
  static const std::map<std::string, By> names = {{"kernel", By::kernel}, {"range", By::range}};
  command
      .add_option_function<std::string>(
          "--by", [&showing](const std::string& name) { showing.by = names.at(name); },
          "Rows of the first table: kernel, or range (of NVTX)")
      ->check(CLI::IsMember(names))
      ->default_str("kernel");
  command.add_flag(
      "--details", showing.details,
      "Print all tables and the charts of most work, not one table and what was learnt");
  CLI::Option* json =
      command.add_flag("--json", showing.json, "Print JSON for scripts instead of text");
  command.add_flag("--csv", showing.csv, "Print CSV instead: a line for each kernel")
      ->excludes(json);
}

void print_profile(const Profile& profile, const Showing& showing) {
  if (showing.json) {
    nlohmann::ordered_json json = profile_json(profile);
    add_charts(json, profile_pictures(profile));
    fmt::print("{}\n", json.dump(1));
  } else if (showing.csv) {
    fmt::print("{}", profiles_csv({{{}, &profile}}, showing.by));
  } else {
    fmt::print("{}", profile_text(profile, showing.by, showing.details));
  }
}

std::string none_by(const Profile& profile, By by) {
  if (by == By::kernel || !profile.ranges.empty()) return {};
  return "no kernel was launched in an NVTX range: the program can open some with nvtxRangePush "
         "or torch.cuda.nvtx, and then be recorded anew";
}

RowsBy rows_by(const Profile& profile, By by) {
  if (const std::string none = none_by(profile, by); !none.empty()) throw InputError(none);
  RowsBy rows{&profile, profile};
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
  text += remarks_text(rows.profile, "row");
  if (profile.ceilings) text += fmt::format("Roofs of {}.\n", whose_roofs(profile));
  return text;
}

// ---- CSV: other programs depend on its columns; new ones may be added, none removed -----------

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

std::vector<PartColumn> csv_columns(const ModelTable& table, By by) {
  return joined(
      {{csv_words("program", [](const PartRow& row) { return row.profile->program; }),
        csv_words("device", [](const PartRow& row) { return row.profile->device; }),
        csv_value("rank", "", [](const PartRow& row) { return std::optional<double>(row.rank); })},
       csv_names(by),
       {launches_column(), time_column(""), share_column()},
       csv_amounts(table, "",
                   [](const PartRow& row, const std::string& name) { return row.counted(name); }),
       {nearest_column(
            {"nearest_roof", ""},
            [](const PartRow& /*row*/, const Nearest& nearest) { return TableCell{nearest.roof}; }),
        nearest_column({"of_nearest_roof (%)", ""},
                       [](const PartRow& /*row*/, const Nearest& nearest) {
                         return cell::percent(nearest.percent);
                       }),
        csv_words("missing", names_of_missing),
        csv_value("gpu", "",
                  [](const PartRow& row) { return std::optional<double>(row.part().gpu); })},
       form_columns(),
       csv_stated(table),
       {nearest_column({"nearest_roof_by", ""}, [](const PartRow& /*row*/, const Nearest& nearest) {
         return TableCell{nearest.by.empty() ? "counted" : nearest.by};
       })}});
}

}  // namespace

std::string profiles_csv(const RankedProfiles& profiles, By by) {
  std::deque<RowsBy> parts;  // a deque, so that addresses stay valid
  std::vector<PartRow> rows;
  for (const auto& [rank, profile] : profiles) {
    if (profiles.size() > 1 && !none_by(*profile, by).empty()) continue;
    for (PartRow& row : part_rows(parts.emplace_back(rows_by(*profile, by)))) {
      row.rank = rank;
      rows.push_back(row);
    }
  }
  const std::string kind = profiles.empty() ? "gpu" : profiles.front().second->kind;
  return csv_text(
      table_of(csv_columns(table_of(kind), by), rows, {"kernels", "Kernels", {}, {}, {}}));
}

}  // namespace roofline
