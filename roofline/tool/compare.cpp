// roofline compare: compares two stored profiles kernel by kernel.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>

#include "roofline/base/text.h"
#include "roofline/statistics.h"
#include "roofline/tool/commands.h"
#include "roofline/tool/show.h"

namespace roofline {
namespace {

struct CompareRequest {
  std::string a, b;
  std::string roofs;
  std::optional<double> within;  ///< tolerance in per cent
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
  std::map<std::string, const KernelProfile*> in_b;
  for (const KernelProfile& kernel : b.kernels) in_b.emplace(kernel.key(), &kernel);
  for (const KernelProfile& kernel : a.kernels) {
    if (const auto same = in_b.extract(kernel.key()))
      comparison.both.push_back({&kernel, same.mapped()});
    else
      comparison.only_a.push_back(kernel.name);
  }
  for (const KernelProfile& kernel : b.kernels)
    if (in_b.contains(kernel.key())) comparison.only_b.push_back(kernel.name);
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
    list.emplace_back("the devices differ; speedups are those of programs and devices together");
  if (!same_roofs(a, b))
    list.emplace_back("the roofs differ; shares of them do not compare. Name the same: --roofs");
  return list;
}

/// The name, shortened in the middle, because kernels often differ only at the end.
std::string name_of(const KernelProfile& kernel, std::size_t longest) {
  return visible(shortened_inside(kernel.name, longest, longest / 2));
}
constexpr std::size_t longest_name = 32;

Table times_table(const Comparison& comparison) {
  using enum Align;
  Table table = plain_table({{"kernel"},
                             {"launches a", right},
                             {"b", right},
                             {"time a", right},
                             {"b", right},
                             {"speedup", right},
                             {"nearest a", right},
                             {"of it", right},
                             {"b", right},
                             {"of it", right}});
  for (const auto& [a, b] : comparison.both) {
    std::vector<std::string> row = {
        name_of(*a, longest_name),      std::to_string(a->launches),
        std::to_string(b->launches),    cell::seconds(a->seconds).text,
        cell::seconds(b->seconds).text, cell::times(ratio(a->seconds, b->seconds)).text};
    for (const auto& [profile, kernel] :
         {std::pair(&comparison.a, a), std::pair(&comparison.b, b)}) {
      const std::optional<Nearest> near = nearest_of(*profile, *kernel);
      row.push_back(near ? roof_label(*profile, *near) : unknown_text);
      row.push_back(near ? percent_text(near->percent) : unknown_text);
    }
    table.add(row);
  }
  return table;
}

/// A counted quantity: the work of a precision, or the bytes of a level.
struct Quantity {
  std::string title, in_a, in_b;

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
      list.push_back({model.title, model.work, other->work});
  for (const Level& level : a.levels)
    for (const Level& other : b.levels)
      if (bytes && other.name == level.name)
        list.push_back({level.label, level.traffic, other.traffic});
  return list;
}

/// The ratios of counts, b over a.
Table counts_table(const Comparison& comparison) {
  const std::vector<Quantity> all = quantities(comparison, true);
  std::vector<Title> titles = {{"kernel"}};
  for (const Quantity& quantity : all) titles.push_back({quantity.title, Align::right});
  Table table = plain_table(titles);
  table.notes = {"b over a: operations by precision, and bytes moved at each level."};
  for (const Pair& pair : comparison.both) {
    std::vector<std::string> row = {name_of(*pair.a, longest_name)};
    for (const Quantity& quantity : all) row.push_back(cell::times(quantity.change(pair)).text);
    table.add(row);
  }
  return without_empty_columns(table);
}

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
  if (comparison.both.empty())
    text += "No kernel is in both: kernels are matched by their whole names.\n\n";
  else
    text += shown_text(times_table(comparison), "show --csv") +
            shown_text(counts_table(comparison), "show --csv");
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
    text += fmt::format(", speedup {}", cell::times(ratio(total(a), total(b))).text);
  return text + "\n";
}

int compare(const CompareRequest& request) {
  const Profile a = kept_profile(request.a, request.roofs).profile;
  const Profile b = kept_profile(request.b, request.roofs).profile;
  const Comparison comparison = compared(a, b);
  fmt::print("{}", compared_text(comparison));
  if (!request.within) return 0;
  Within within{*request.within};
  for (const Pair& pair : comparison.both) {
    const std::string name = name_of(*pair.a, 64);
    within.look_at("time of " + name, ratio(pair.b->seconds, pair.a->seconds));
    for (const Quantity& work : quantities(comparison, false))
      within.look_at(work.title + " of " + name, work.change(pair));
  }
  fmt::print("{}", within.text("times and counts of operations"));
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
  command->footer(
      "A speedup is the time of A over that of B: above 1, B is faster.\n"
      "Examples:\n"
      "  roofline compare results/before results/after\n"
      "  roofline compare --within 2 results/before results/after");
  return {command, [request] { return compare(*request); }};
}

}  // namespace roofline
