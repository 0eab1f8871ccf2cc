// roofline compare: compares two stored profiles kernel by kernel.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "roofline/base/json_place.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/page_tables.h"
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
  std::vector<Pair> both;  ///< sorted by time in A, longest first
  std::vector<const KernelProfile*> only_a, only_b;
};

/// Kernels are matched by full names, because short ones may be ambiguous.
Comparison compared(const Profile& a, const Profile& b) {
  Comparison comparison{a, b, {}, {}, {}};
  std::multimap<std::string, const KernelProfile*> waiting;
  for (const KernelProfile& kernel : b.kernels) waiting.emplace(kernel.key(), &kernel);
  std::set<const KernelProfile*> met;
  for (const KernelProfile& kernel : a.kernels) {
    const auto same = waiting.find(kernel.key());
    if (same == waiting.end()) {
      comparison.only_a.push_back(&kernel);
      continue;
    }
    comparison.both.push_back({&kernel, same->second});
    met.insert(same->second);
    waiting.erase(same);
  }
  for (const KernelProfile& kernel : b.kernels)
    if (!met.contains(&kernel)) comparison.only_b.push_back(&kernel);
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

std::string ratio_text(std::optional<double> ratio) {
  return ratio ? fmt::format("{:.2f}x", *ratio) : "-";
}

/// Describes how the roofs differ; empty if they are equal.
std::string difference_of_roofs(const Profile& a, const Profile& b) {
  if (a.ceilings.has_value() != b.ceilings.has_value())
    return fmt::format("only {} has roofs: the other one stands under none",
                       a.ceilings ? "A" : "B");
  if (!a.ceilings) return {};
  if (a.ceilings->device != b.ceilings->device)
    return fmt::format("the roofs differ: A stands under those of {}, B under those of {}",
                       a.ceilings->device, b.ceilings->device);
  std::vector<std::string> differ;
  for (const Ceiling& roof : a.ceilings->list) {
    const Ceiling* other = b.ceilings->find(roof.name);
    const double over = other == nullptr ? 0 : other->measured / roof.measured;
    if (!(over > 1 / (1 + tolerance) && over < 1 + tolerance)) differ.push_back(roof.label);
  }
  if (differ.empty()) return {};
  return fmt::format("the roofs differ by more than {:.0f}%, or are not in both: {}",
                     100 * tolerance, fmt::join(differ, ", "));
}

/// Lists reasons why the two are less comparable than their numbers suggest.
std::vector<std::string> doubts(const Comparison& comparison) {
  const Profile &a = comparison.a, &b = comparison.b;
  std::vector<std::string> list;
  if (a.device != b.device)
    list.push_back(
        fmt::format("the devices differ: A ran on {}, B on {}; the speedups are those of programs "
                    "and devices together",
                    device_text(a), device_text(b)));
  if (const std::string roofs = difference_of_roofs(a, b); !roofs.empty())
    list.push_back(roofs + "; shares of roofs do not compare. Name the same for both: --roofs");
  if (a.source != b.source)
    list.push_back(fmt::format(
        "A was counted by {}, B by {}: they may count different things by the same name", a.source,
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

std::string times_table(const Comparison& comparison) {
  using enum Align;
  Table table = plain_table({{"", right},
                             {"kernel", left},
                             {"launches A", right},
                             {"B", right},
                             {"time A", right},
                             {"B", right},
                             {"speedup", right},
                             {"nearest A", right},
                             {"of it", right},
                             {"B", right},
                             {"of it", right}});
  for (const auto& [a, b] : comparison.both) {
    std::vector<std::string> cells = {std::to_string(table.rows.size() + 1),
                                      shown_name(*a, 32),
                                      std::to_string(a->launches),
                                      std::to_string(b->launches),
                                      cell::seconds(a->seconds).text,
                                      cell::seconds(b->seconds).text,
                                      ratio_text(ratio(a->seconds, b->seconds))};
    for (const auto& of : {nearest_of(comparison.a, *a), nearest_of(comparison.b, *b)}) {
      cells.push_back(of ? of->roof : unknown_text);
      cells.push_back(of ? percent_text(of->percent) : unknown_text);
    }
    table.add(cells);
  }
  return shown_text(table, "--json");
}

/// A counted quantity: the work of a precision, or the bytes of a level.
struct Quantity {
  std::string name, label, unit;
  std::string metric_a, metric_b;

  std::optional<double> of_a(const Pair& pair) const {
    return metric_value(pair.a->metrics, metric_a);
  }
  std::optional<double> of_b(const Pair& pair) const {
    return metric_value(pair.b->metrics, metric_b);
  }
  std::optional<double> change(const Pair& pair) const { return ratio(of_b(pair), of_a(pair)); }
};

/// The work of each precision that both devices have.
std::vector<Quantity> works(const Comparison& comparison) {
  std::vector<Quantity> list;
  const ModelTable& others = table_of(comparison.b.kind);
  for (const Model& model : table_of(comparison.a.kind).models)
    if (const Model* other = others.find_model(model.name))
      list.push_back({work_key(model.name), model.title, model.unit, model.work, other->work});
  return list;
}

std::vector<Quantity> traffic(const Comparison& comparison) {
  std::vector<Quantity> list;
  const std::vector<Level>& others = table_of(comparison.b.kind).levels;
  for (const Level& level : table_of(comparison.a.kind).levels)
    for (const Level& other : others)
      if (other.name == level.name)
        list.push_back({level.name, level.label, "B", level.traffic, other.traffic});
  return list;
}

/// The ratios of counts, B over A; empty columns are left out.
std::string counts_table(const Comparison& comparison) {
  using enum Align;
  std::vector<Quantity> quantities = works(comparison);
  for (Quantity& level : traffic(comparison)) quantities.push_back(std::move(level));
  std::erase_if(quantities, [&comparison](const Quantity& quantity) {
    return std::ranges::none_of(
        comparison.both, [&](const Pair& pair) { return quantity.change(pair).has_value(); });
  });
  if (quantities.empty()) return "No work and no bytes were counted in both.\n\n";
  std::vector<Title> titles = {{"", right}, {"B over A", left}};
  for (const Quantity& quantity : quantities) titles.push_back({quantity.label, right});
  Table table = plain_table(titles);
  table.notes = {"Precisions: operations of B over those of A. Levels: bytes moved there."};
  for (const Pair& pair : comparison.both) {
    std::vector<std::string> cells = {std::to_string(table.rows.size() + 1),
                                      shown_name(*pair.a, 32)};
    for (const Quantity& quantity : quantities) cells.push_back(ratio_text(quantity.change(pair)));
    table.add(cells);
  }
  return shown_text(table, "--json");
}

/// Shortens names in the middle, because kernels often differ only at the end.
std::string cut_name(const std::string& name) {
  constexpr std::size_t most = 64;
  return visible(shortened_inside(name, most, most / 2));
}

std::string lone_kernels(const std::string& which, const std::vector<const KernelProfile*>& list) {
  using enum Align;
  if (list.empty()) return {};
  Table table = plain_table({{"only in " + which, left}, {"launches", right}, {"time", right}});
  for (const KernelProfile* kernel : list)
    table.add({cut_name(kernel->name), std::to_string(kernel->launches),
               cell::seconds(kernel->seconds).text});
  return shown_text(table, "--json");
}

std::string compared_text(const Comparison& comparison) {
  const Profile &a = comparison.a, &b = comparison.b;
  std::string text;
  for (const auto& [which, profile] : {std::pair("A", &a), std::pair("B", &b)})
    text += paragraph(fmt::format("{}: {} on {}, {}{}", which, profile->program,
                                  device_text(*profile), profile->created.substr(0, 10),
                                  profile->ceilings ? "; roofs of " + whose_roofs(*profile) : ""),
                      3, text_width());
  for (const std::string& doubt : doubts(comparison))
    text += paragraph("Beware: " + doubt + ".", 2, text_width());
  text += "\n";
  if (comparison.both.empty())
    text += "No kernel is in both: kernels are matched by their whole names.\n\n";
  else
    text += times_table(comparison) + counts_table(comparison);
  text += lone_kernels("A", comparison.only_a) + lone_kernels("B", comparison.only_b);
  text += fmt::format("All kernels: {} in A, {} in B", cell::seconds(total(a)).text,
                      cell::seconds(total(b)).text);
  if (!comparison.both.empty())  // without common kernels, the programs differ
    text += fmt::format(", speedup {}", ratio_text(speedup_of_all(comparison)));
  return text + "\n";
}

Json lone_json(const std::vector<const KernelProfile*>& kernels) {
  Json list = Json::array();
  for (const KernelProfile* kernel : kernels)
    list.push_back({{"name", kernel->name},
                    {"launches", kernel->launches},
                    {"seconds", json_number(kernel->seconds)}});
  return list;
}

Json quantities_json(const std::vector<Quantity>& quantities, const Pair& pair) {
  Json json = Json::object();
  for (const Quantity& quantity : quantities)
    if (quantity.of_a(pair) || quantity.of_b(pair))
      json[quantity.name] = {{"a", json_number(quantity.of_a(pair))},
                             {"b", json_number(quantity.of_b(pair))},
                             {"ratio", json_number(quantity.change(pair))}};
  return json;
}

Json pair_json(const Comparison& comparison, const Pair& pair) {
  const auto& [a, b] = pair;
  const auto nearest = [](const std::optional<Nearest>& of) -> Json {
    if (!of) return nullptr;
    Json json = {{"roof", of->roof}, {"percent", json_number(of->percent)}};
    if (!of->by.empty()) json["by"] = of->by;
    return json;
  };
  return {{"name", a->name},
          {"launches", {{"a", a->launches}, {"b", b->launches}}},
          {"seconds", {{"a", json_number(a->seconds)}, {"b", json_number(b->seconds)}}},
          {"speedup", json_number(ratio(a->seconds, b->seconds))},
          {"work", quantities_json(works(comparison), pair)},
          {"bytes", quantities_json(traffic(comparison), pair)},
          {"nearest",
           {{"a", nearest(nearest_of(comparison.a, *a))},
            {"b", nearest(nearest_of(comparison.b, *b))}}}};
}

Json compared_json(const Comparison& comparison) {
  const Profile &a = comparison.a, &b = comparison.b;
  const auto of = [](const Profile& profile) -> Json {
    return {{"program", profile.program},
            {"device", profile.device},
            {"created", profile.created},
            {"roofs", profile.ceilings ? Json(whose_roofs(profile)) : Json()},
            {"seconds", json_number(total(profile))}};
  };
  Json kernels = Json::array();
  for (const Pair& pair : comparison.both) kernels.push_back(pair_json(comparison, pair));
  return with_visible_texts({{"a", of(a)},
                             {"b", of(b)},
                             {"speedup", json_number(speedup_of_all(comparison))},
                             {"doubts", doubts(comparison)},
                             {"kernels", kernels},
                             {"only_in_a", lone_json(comparison.only_a)},
                             {"only_in_b", lone_json(comparison.only_b)}});
}

/// True if times and operations of each common kernel differ by at most --within. Prints the
/// kernels that differ by more, or that none does.
bool all_within(const Comparison& comparison, double percent, bool quiet) {
  const std::vector<Quantity> quantities = works(comparison);
  std::size_t compared = 0;
  std::vector<std::string> beyond;
  for (const Pair& pair : comparison.both) {
    const auto look_at = [&](const std::string& what, std::optional<double> change) {
      if (!change) return;
      ++compared;
      const double difference = 100 * (std::max(*change, 1 / *change) - 1);
      if (difference > percent)
        beyond.push_back(
            fmt::format("{} of {} by {:.1f}%", what, cut_name(pair.a->name), difference));
    };
    look_at("time", ratio(pair.b->seconds, pair.a->seconds));
    for (const Quantity& quantity : quantities) look_at(quantity.label, quantity.change(pair));
  }
  if (!quiet)
    fmt::print("{} of {} times and counts of operations are within {}%{}{}\n",
               compared - beyond.size(), compared, percent,
               beyond.empty() ? "" : "; beyond it: ", fmt::join(beyond, ", "));
  return compared > 0 && beyond.empty();
}

int compare(const CompareRequest& request) {
  const Profile a = kept_profile(request.a, request.roofs).profile;
  const Profile b = kept_profile(request.b, request.roofs).profile;
  const Comparison comparison = compared(a, b);
  if (request.json)
    fmt::print("{}\n", compared_json(comparison).dump(1));
  else
    fmt::print("{}", compared_text(comparison));
  const bool near = !request.within || all_within(comparison, *request.within, request.json);
  return near ? 0 : 1;
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
