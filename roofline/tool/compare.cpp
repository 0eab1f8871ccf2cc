// roofline compare: compares two stored profiles kernel by kernel.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "roofline/base/json_place.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/base/within.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

struct CompareRequest {
  std::string a, b;
  std::string roofs;
  std::optional<double> within;  ///< tolerance in per cent
  bool json = false;
};

/// One kernel in both profiles.
struct Pair {
  const KernelProfile* a;
  const KernelProfile* b;
};

struct Comparison {
  const Profile& a;
  const Profile& b;
  std::vector<Pair> both;                   ///< sorted by time in a, longest first
  std::vector<std::string> only_a, only_b;  ///< whole names
};

/// Kernels are matched by full names, because short ones may be ambiguous.
Comparison compared(const Profile& a, const Profile& b) {
  Comparison comparison{a, b, {}, {}, {}};
  std::map<std::string, const KernelProfile*> in_a, in_b;
  for (const KernelProfile& kernel : a.kernels) in_a.emplace(kernel.key(), &kernel);
  for (const KernelProfile& kernel : b.kernels) in_b.emplace(kernel.key(), &kernel);
  for (const KernelProfile& kernel : a.kernels) {
    const auto same = in_b.find(kernel.key());
    if (same == in_b.end())
      comparison.only_a.push_back(kernel.name);
    else
      comparison.both.push_back({&kernel, same->second});
  }
  for (const KernelProfile& kernel : b.kernels)
    if (!in_a.contains(kernel.key())) comparison.only_b.push_back(kernel.name);
  return comparison;
}

/// The ratio, if both are known and the second is not 0.
std::optional<double> ratio(std::optional<double> over, std::optional<double> under) {
  if (!over || !under || !(*under > 0)) return std::nullopt;
  return *over / *under;
}

std::optional<double> total(const Profile& profile) {
  const double seconds = profile.seconds();
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

/// Returns nothing for another program, which has no common kernel.
std::optional<double> speedup_of_all(const Comparison& comparison) {
  if (comparison.both.empty()) return std::nullopt;
  return ratio(total(comparison.a), total(comparison.b));
}

bool same_roofs(const Profile& a, const Profile& b) {
  if (!a.ceilings || !b.ceilings) return a.ceilings.has_value() == b.ceilings.has_value();
  return a.ceilings->device == b.ceilings->device &&
         std::ranges::all_of(a.ceilings->list, [&b](const Ceiling& roof) {
           const Ceiling* other = b.ceilings->find(roof.name);
           const double over = other == nullptr ? 0 : other->measured / roof.measured;
           return over > 1 / (1 + tolerance) && over < 1 + tolerance;
         });
}

/// Lists reasons why the two are less comparable than their numbers suggest.
std::vector<std::string> doubts(const Comparison& comparison) {
  const Profile &a = comparison.a, &b = comparison.b;
  std::vector<std::string> list;
  if (a.device != b.device)
    list.emplace_back(
        "the devices differ; the speedups are those of programs and devices together");
  if (!same_roofs(a, b))
    list.push_back(
        fmt::format("the roofs differ by more than {:.0f}%; shares of roofs do not "
                    "compare. Name the same for both: --roofs",
                    100 * tolerance));
  if (a.source != b.source)
    list.push_back(fmt::format(
        "a was counted by {}, b by {}: they may count different things by the same name", a.source,
        b.source));
  const auto others = std::ranges::count_if(
      comparison.both, [](const Pair& pair) { return pair.a->launches != pair.b->launches; });
  if (others > 0)
    list.push_back(
        fmt::format("{} of {} kernels were launched more or less often; times, work and bytes are "
                    "those of all launches",
                    others, comparison.both.size()));
  return list;
}

// ---- Tables -------------------------------------------------------------------------------------

/// A table of kernels without rows.
Table table_with(const std::vector<std::pair<std::string, std::string>>& columns) {
  Table table{"", "", {{"name", "kernel"}}, {}, {}};
  for (const auto& [name, title] : columns)
    table.columns.push_back({name, title, "", "", Align::right});
  return table;
}

/// Adds a row with the name, shortened in the middle, because kernels often differ only at the end.
std::vector<TableCell>& add_kernel(const KernelProfile& kernel, std::size_t longest, Table& table) {
  TableRow& row = table.rows.emplace_back();
  row.cells = {{visible(shortened_inside(kernel.name, longest, longest / 2))}};
  return row.cells;
}

Table times_table(const Comparison& comparison, std::size_t longest) {
  Table table = table_with({{"launches_a", "launches a"},
                            {"launches_b", "b"},
                            {"seconds_a", "time a"},
                            {"seconds_b", "b"},
                            {"speedup", "speedup"},
                            {"nearest_a", "nearest a"},
                            {"of_nearest_a", "of it"},
                            {"nearest_b", "b"},
                            {"of_nearest_b", "of it"}});
  for (const auto& [a, b] : comparison.both) {
    std::vector<TableCell>& cells = add_kernel(*a, longest, table);
    for (const TableCell& cell :
         {cell::integer(a->launches), cell::integer(b->launches), cell::seconds(a->seconds),
          cell::seconds(b->seconds), cell::times(ratio(a->seconds, b->seconds))})
      cells.push_back(cell);
    for (const auto& [profile, kernel] :
         {std::pair(&comparison.a, a), std::pair(&comparison.b, b)}) {
      const std::optional<Nearest> near = nearest_of(*profile, *kernel);
      cells.push_back({near ? roof_label(*profile, *near) : unknown_text});
      cells.push_back(cell::percent(near ? std::optional(near->percent) : std::nullopt));
    }
  }
  return table;
}

/// A counted quantity: the work of a precision, or the bytes of a level.
struct Quantity {
  std::string name, title, in_a, in_b;

  std::optional<double> change(const Pair& pair) const {
    return ratio(metric_value(pair.b->metrics, in_b), metric_value(pair.a->metrics, in_a));
  }
};

/// The work of each precision that both devices have, and the bytes at each such level.
std::vector<Quantity> quantities(const Comparison& comparison, bool bytes) {
  const ModelTable &a = table_of(comparison.a.kind), &b = table_of(comparison.b.kind);
  std::vector<Quantity> list;
  for (const Model& model : a.models)
    if (const Model* other = b.find_model(model.name))
      list.push_back({"work_" + work_key(model.name), model.title, model.work, other->work});
  if (!bytes) return list;
  for (const Level& level : a.levels)
    for (const Level& other : b.levels)
      if (other.name == level.name)
        list.push_back({"bytes_" + level.name, level.label, level.traffic, other.traffic});
  return list;
}

/// The ratios of counts, b over a.
Table counts_table(const Comparison& comparison, std::size_t longest) {
  const std::vector<Quantity> all = quantities(comparison, true);
  Table table = table_with({});
  table.notes = {"b over a: operations by precision, and bytes moved at each level."};
  for (const Quantity& quantity : all)
    table.columns.push_back({quantity.name, quantity.title, "", "", Align::right});
  for (const Pair& pair : comparison.both) {
    std::vector<TableCell>& cells = add_kernel(*pair.a, longest, table);
    for (const Quantity& quantity : all) cells.push_back(cell::times(quantity.change(pair)));
  }
  return table;
}

// ---- Output -------------------------------------------------------------------------------------

std::string compared_text(const Comparison& comparison) {
  const Profile &a = comparison.a, &b = comparison.b;
  std::string text;
  for (const auto& [which, profile] : {std::pair("a", &a), std::pair("b", &b)})
    text += paragraph(fmt::format("{}: {} on {}, {}{}", which, profile->program,
                                  device_text(*profile), profile->created.substr(0, 10),
                                  profile->ceilings ? "; roofs of " + whose_roofs(*profile) : ""),
                      3, text_width());
  for (const std::string& doubt : doubts(comparison))
    text += paragraph("Beware: " + doubt + ".", 2, text_width());
  text += "\n";
  constexpr std::size_t longest = 32;
  if (comparison.both.empty())
    text += "No kernel is in both: kernels are matched by their whole names.\n\n";
  else
    text += shown_text(times_table(comparison, longest), "--json") +
            shown_text(without_empty_columns(counts_table(comparison, longest)), "--json");
  for (const auto& [which, only] :
       {std::pair("a", &comparison.only_a), std::pair("b", &comparison.only_b)})
    if (!only->empty())
      text +=
          paragraph(fmt::format("Only in {}: {}", which,
                                visible(shortened(fmt::format("{}", fmt::join(*only, "; ")), 600))),
                    2, text_width());
  text += fmt::format("All kernels: {} in a, {} in b", cell::seconds(total(a)).text,
                      cell::seconds(total(b)).text);
  if (!comparison.both.empty())  // without common kernels, the programs differ
    text += fmt::format(", speedup {}", cell::times(speedup_of_all(comparison)).text);
  return text + "\n";
}

Json compared_json(const Comparison& comparison) {
  const auto of = [](const Profile& profile) -> Json {
    return {{"program", profile.program},
            {"device", profile.device},
            {"created", profile.created},
            {"roofs", profile.ceilings ? Json(whose_roofs(profile)) : Json()},
            {"seconds", json_number(total(profile))}};
  };
  Json kernels = rows_json(times_table(comparison, std::string::npos));
  const Json counts = rows_json(counts_table(comparison, std::string::npos));
  for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i].update(counts[i]);
  return with_visible_texts({{"a", of(comparison.a)},
                             {"b", of(comparison.b)},
                             {"speedup", json_number(speedup_of_all(comparison))},
                             {"doubts", doubts(comparison)},
                             {"kernels", kernels},
                             {"only_in_a", comparison.only_a},
                             {"only_in_b", comparison.only_b}});
}

int compare(const CompareRequest& request) {
  const Profile a = kept_profile(request.a, request.roofs).profile;
  const Profile b = kept_profile(request.b, request.roofs).profile;
  const Comparison comparison = compared(a, b);
  if (request.json)
    fmt::print("{}\n", compared_json(comparison).dump(1));
  else
    fmt::print("{}", compared_text(comparison));
  if (!request.within) return 0;
  Within within{*request.within};
  for (const Pair& pair : comparison.both) {
    const std::string name = visible(shortened_inside(pair.a->name, 64, 32));
    within.look_at("time of " + name, ratio(pair.b->seconds, pair.a->seconds));
    for (const Quantity& work : quantities(comparison, false))
      within.look_at(work.title + " of " + name, work.change(pair));
  }
  if (!request.json) fmt::print("{}", within.text("times and counts of operations"));
  return within.passes() ? 0 : 1;
}

}  // namespace

ToolCommand add_compare(CLI::App& program) {
  CLI::App* command = program.add_subcommand(
      "compare", "After a change: two profiles that were kept, kernel by kernel");
  const auto request = std::make_shared<CompareRequest>();
  command->add_option("A", request->a, "Folder of a profile, or its profile.json")->required();
  command->add_option("B", request->b, "The one to compare with it")->required();
  add_roofs_option(*command, request->roofs);
  command
      ->add_option(
          "--within", request->within,
          "Fail where a time or a count of operations differs by more than so many per cent")
      ->check(CLI::PositiveNumber);
  command->add_flag("--json", request->json, "Print JSON for scripts instead of text");
  command->footer(
      "A speedup is the time of A over that of B: above 1, B is faster.\n"
      "Examples:\n"
      "  roofline compare results/before results/after\n"
      "  roofline compare --within 2 results/before results/after");
  return {command, [request] { return compare(*request); }};
}

}  // namespace roofline
