#include "roofline/tool/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "roofline/advice.h"
#include "roofline/base/text.h"
#include "roofline/import/import.h"
#include "roofline/page/page.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// Texts, each once with the rows that it is about: "all kernels", or their numbers.
using Pairs = page::Pairs;

std::string where_roofs_are(const Profile& profile) {
  return profile.kind == nvidia_table().device
             ? "Measure them where the device is, roofline ceilings --json > roofs.json, and name "
               "them: --roofs roofs.json."
             : "Name those that rocprof-compute measured there: --roofs roofline.csv.";
}

/// A warning that the roofs belong to another device; else empty.
std::string foreign_roofs(const Profile& profile) {
  if (profile.device.empty() || profile.ceilings->device == profile.device) return {};
  const auto own = published_roofs(published_name(profile.device, profile.kind));
  return own && own->device == profile.ceilings->device ? "" : ", not of the device that ran";
}

Advice advice_on(const Profile& profile, const KernelProfile& kernel) {
  Facts facts;
  facts.point = kernel.placed.leading();
  facts.metrics = &kernel.metrics;
  facts.instructions = &kernel.instructions.points;
  facts.seconds = kernel.seconds.value_or(0);
  facts.launches = static_cast<double>(kernel.launches);
  if (profile.ceilings) facts.launch_cost = profile.ceilings->launch;
  return advice_of(facts);
}

/// A kernel under roofs at the clock that it had: those on the chip are as much lower or higher.
struct OwnClock {
  Profile profile;  ///< of that kernel alone
  std::string told;
};

/// Empty where the clocks are about the same, or not known. ncu keeps a lower one as a rule.
std::optional<OwnClock> at_its_own_clock(const Profile& profile, const KernelProfile& kernel) {
  const auto cycles = metric_value(kernel.metrics, "cycles");
  if (profile.source != "ncu" || !profile.ceilings || !(cycles.value_or(0) > 0)) return {};
  constexpr double mega = 1e6, giga = 1e9;
  const double clock = *cycles / *kernel.seconds;
  OwnClock own;
  own.profile.kind = profile.kind;
  own.profile.ceilings = profile.ceilings;
  own.profile.kernels = {kernel};
  double of_roofs = 0;
  for (Ceiling& roof : own.profile.ceilings->list) {
    if (roof.name == "dram" || !(roof.clock_mhz > 0)) continue;
    of_roofs = std::max(of_roofs, roof.clock_mhz * mega);
    roof.measured *= clock / (roof.clock_mhz * mega);
  }
  if (of_roofs == 0 || std::abs(clock - of_roofs) < tolerance * of_roofs) return {};
  derive(own.profile);
  own.told = fmt::format(", at its own clock of {:.3f} GHz; roofs were measured at {:.3f} GHz",
                         clock / giga, of_roofs / giga);
  return own;
}

/// What another run of another's profiler should count.
std::string to_know_more(const Profile& profile, const KernelProfile& kernel,
                         const Advice& advice) {
  if (profile.source == "cupti") return {};
  const bool amd = profile.kind != nvidia_table().device;
  std::vector<std::string> lacking, runs;
  for (const Level& level : table_of(profile.kind).levels)
    if (!metric_value(kernel.metrics, level.traffic)) lacking.push_back(level.label);
  if (std::ranges::none_of(table_of(profile.kind).models, [&kernel](const Model& model) {
        return metric_value(kernel.metrics, model.work).has_value();
      }))
    lacking.insert(lacking.begin(), "operations");
  if (!lacking.empty())
    runs.push_back(fmt::format("{} (roofline counters --for {})", fmt::join(lacking, ", "),
                               amd ? "rocprof" : "ncu"));
  if (!amd && advice.cause.binding == Binding::unknown)
    runs.emplace_back(
        "what it waits for (ncu --section WarpStateStats --section InstructionStats)");
  if (runs.empty()) return {};
  return fmt::format(" To know more, count {}, and import all files together.",
                     fmt::join(runs, ", and "));
}

using Placed = RooflinePoints KernelProfile::*;

/// The steps of one precision or instruction model. Kernels with little of their work in it are
/// left out, and so are those with very little compared to others, which would stretch the axes
/// over many decades.
std::vector<Step> steps_of(const Profile& profile, const std::string& model, Placed placed) {
  constexpr double least = 1e-4;
  std::vector<Step> steps;
  double most = 0;  // largest work in any precision
  const auto add = [&](std::size_t i, const RooflinePoints& placed_so, const std::string& by) {
    for (const RooflinePoint& point : placed_so.points) {
      most = std::max(most, point.flop);
      if (point.precision != model || !is_shown(point)) continue;
      Step step{std::to_string(i + 1), point};  // its number in the tables
      step.title = step.label + " " + visible(label_of(profile.kernels[i])) + by;
      steps.push_back(std::move(step));
    }
  };
  for (std::size_t i = 0; i < std::min(profile.kernels.size(), most_shown); ++i) {
    const KernelProfile& kernel = profile.kernels[i];
    add(i, kernel.*placed, "");
    if (placed == &KernelProfile::placed && kernel.stated)
      add(i, kernel.stated->placed, std::string(", ") + by_formula);
  }
  std::erase_if(steps, [most](const Step& step) { return step.point.flop < least * most; });
  return steps;
}

std::vector<RooflineChart> charts_of(const Profile& profile, const std::vector<Model>& models,
                                     Placed placed) {
  std::vector<RooflineChart> charts;
  if (!profile.ceilings) return charts;
  for (const Model& model : models) {
    auto chart = make_chart(*profile.ceilings, steps_of(profile, model.name, placed), model.name);
    if (!chart) continue;
    chart->in_order = false;
    chart->hollow = fmt::format("{}, not counted", by_formula);
    charts.push_back(*std::move(chart));
  }
  return charts;
}

std::string what_ran(const Profile& profile) {
  return fmt::format("{}; {}", profile.program, profile.created.substr(0, 10));
}

/// Each text once, with "all kernels", or their numbers; `word` is that for a row.
Pairs by_text(const Profile& profile,
              const std::function<std::vector<std::string>(const KernelProfile&)>& texts,
              const std::string& word = "kernel") {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::size_t>> rows;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i)
    for (const std::string& text : texts(profile.kernels[i])) {
      std::vector<std::size_t>& of = rows[text];
      if (of.empty()) order.push_back(text);
      if (of.empty() || of.back() != i + 1) of.push_back(i + 1);
    }
  Pairs pairs;
  for (const std::string& text : order) {
    const std::vector<std::size_t>& of = rows[text];
    const bool all = of.size() == profile.kernels.size() && of.size() > 1;
    pairs.emplace_back(text,
                       all ? "all " + word + "s" : fmt::format("{} {}", word, fmt::join(of, ", ")));
  }
  return pairs;
}

/// The reason why there is no chart: no point under the roofs, or no roofs.
std::string no_chart(const Profile& profile) {
  return profile.ceilings
             ? "No chart: no kernel with work to speak of lies below these roofs."
             : "No roofs: those of this device are not known here. " + where_roofs_are(profile);
}

/// The device's energy; "" if unknown.
std::string energy_told(const Profile& profile) {
  if (!profile.energy) return {};
  const EnergyUsed& energy = *profile.energy;
  return fmt::format("Energy: the GPU took {:.0f} W while the program was timed, {} in {}.",
                     energy.watts(), with_prefix(energy.joules, "J"),
                     describe_seconds(energy.seconds));
}

/// What is missing of the rows' values, with the reasons, and the notes on them.
Pairs remarks_on(const Profile& profile, const std::string& word) {
  const auto texts = [](const KernelProfile& kernel) {
    std::map<std::string, std::set<std::string>> names;  // by reason, which is often common
    for (const Missing& one : kernel.missing) names[one.reason].insert(one.name);
    std::vector<std::string> all;
    for (const auto& [reason, of] : names)
      all.push_back(fmt::format("missing {}: {}", fmt::join(of, ", "), reason));
    all.insert(all.end(), kernel.notes.begin(), kernel.notes.end());
    return all;
  };
  return by_text(profile, texts, word);
}

/// Kernels that are faster than a roof allows, and other `defects` of their counts.
Pairs doubts_on(const Profile& profile, bool defects) {
  return by_text(profile, [&profile, defects](const KernelProfile& kernel) {
    std::vector<std::string> all;
    if (const auto nearest = nearest_of(profile, kernel); nearest && is_above(nearest->percent))
      all.push_back(
          fmt::format("above {}, which no time and count allow: one of them, or the roof, is wrong",
                      roof_label(profile, *nearest)));
    for (const auto* points : {&kernel.placed.points, &kernel.instructions.points})
      for (const RooflinePoint& point : *points)
        if (defects) all.insert(all.end(), point.defects.begin(), point.defects.end());
    return all;
  });
}

/// What limits the kernels and what to look at next, for the hottest first.
Pairs advice_on_kernels(const Profile& profile) {
  return by_text(profile, [&profile](const KernelProfile& kernel) -> std::vector<std::string> {
    const Advice advice = advice_on(profile, kernel);
    if (advice.cause.binding == Binding::unknown) return {};
    return {"bound by " + cause_text(advice.cause),
            fmt::format("{}: {}", title_of(advice.cause), advice.next)};
  });
}

/// A chart per precision with visible kernels, that of most work first; steps have the kernels'
/// numbers.
std::vector<RooflineChart> profile_rooflines(const Profile& profile) {
  std::vector<RooflineChart> charts =
      charts_of(profile, table_of(profile.kind).models, &KernelProfile::placed);
  std::ranges::stable_sort(charts, std::greater(), [](const RooflineChart& chart) {
    double work = 0;
    for (const Step& step : chart.steps) work += step.point.flop;
    return work;
  });
  return charts;
}

/// A chart per instruction model with visible kernels.
std::vector<RooflineChart> profile_instruction_rooflines(const Profile& profile) {
  return charts_of(profile, table_of(profile.kind).instruction_models,
                   &KernelProfile::instructions);
}

}  // namespace

std::string device_text(const Profile& profile) {
  return profile.device.empty() ? "a device without a name" : profile.device;
}

std::string whose_roofs(const Profile& profile) {
  const Ceilings& roofs = *profile.ceilings;
  std::vector<std::string> whence;
  if (!roofs.from.empty()) whence.push_back(roofs.from);
  if (!roofs.created.empty()) whence.push_back(roofs.created.substr(0, 10));
  return roofs.device + (whence.empty() ? "" : fmt::format(" ({})", fmt::join(whence, ", "))) +
         foreign_roofs(profile);
}

std::string shown_text(Table table, const std::string& option) {
  const std::size_t more = table.rows.size() - std::min(table.rows.size(), most_shown);
  table.rows.resize(table.rows.size() - more);
  return terminal_text(table, false, text_width()) +
         (more > 0 ? fmt::format("And {} more: {} lists all.\n", more, option) : "") + "\n";
}

std::string profile_text(const Profile& profile, By by, bool details) {
  const RowsBy rows = rows_by(profile, by);
  const std::string word = by == By::range ? "row" : "kernel";
  const std::size_t count = profile.kernels.size();
  std::string text;
  const auto tell = [&text](const std::string& line) {
    if (!line.empty()) text += paragraph(line, 2, text_width());
  };
  tell(fmt::format("{} on {}: {} kernel{}, {}", profile.program, device_text(profile), count,
                   count == 1 ? "" : "s", describe_seconds(profile.seconds())));
  text += "\n" + shown_text(part_table(rows, details ? Shown::details : Shown::parts), "--json");
  if (details) {
    if (const Table table = part_table(rows, Shown::work); !table.rows.empty())
      text += table.caption + "\n" + shown_text(table);
    const Pairs advice = advice_on_kernels(rows.profile);
    if (!advice.empty()) text += "What to look at next\n";
    for (const auto& [look, of] : advice) tell(fmt::format("{}: {}", of, look));
  }
  tell(energy_told(profile));
  for (const auto& [doubt, of] : doubts_on(rows.profile, false))
    tell(fmt::format("! {}: {}", of, doubt));
  if (profile.ceilings) tell(fmt::format("Roofs of {}.", whose_roofs(profile)));
  // Before all else, an imported profile's notes tell what its files contradict each other in.
  if (details || profile.source != "cupti")
    for (const std::string& note : profile.notes) tell("note: " + note);
  const Pairs remarks = remarks_on(rows.profile, word);
  if (details || by == By::range)
    for (const auto& [remark, of] : remarks) tell(fmt::format("{}: {}", of, remark));
  if (details) {
    const std::vector<RooflineChart> charts = profile_rooflines(rows.profile);
    if (charts.empty())
      tell(no_chart(profile));
    else
      text += "\n" + terminal_roofline(charts.front(), fmt::format("{}, {}", what_ran(profile),
                                                                   charts.front().model.title));
    return text + "\n";
  }
  if (by == By::range) return text;
  if (!profile.ranges.empty()) tell("There are NVTX ranges: --by range shows them.");
  if (std::ranges::any_of(remarks,
                          [](const auto& one) { return one.first.starts_with("missing "); }))
    tell("Some counters are missing: --details tells which, and why.");
  return text;
}

std::string profile_learnt(const Profile& profile, const fs::path& folder) {
  const std::string kept = folder.empty() ? "" : fmt::format(" {}", visible(folder.string()));
  const std::string more = folder.empty() ? "--details shows the rest."
                                          : fmt::format("Next: roofline show --details{}", kept);
  if (profile.kernels.empty() || !profile.kernels.front().seconds)
    return paragraph("No time of a kernel is known. " + more);
  const KernelProfile& kernel = profile.kernels.front();
  std::string text = fmt::format("{} takes {} of the time", visible(label_of(kernel)),
                                 share_cell(kernel.seconds, profile.seconds()).text);
  const std::optional<OwnClock> own = at_its_own_clock(profile, kernel);
  const Profile& under = own ? own->profile : profile;
  const std::optional<Nearest> nearest = nearest_of(under, under.kernels.front());
  if (!profile.ceilings)
    text += "; no roofs of this device are known. " + where_roofs_are(profile);
  else if (!nearest)
    text += "; its work was not counted.";
  else
    text += fmt::format(", at {} of its nearest roof, {}{}.", percent_text(nearest->percent),
                        roof_label(profile, *nearest), own ? own->told : "");
  const Advice advice = advice_on(under, under.kernels.front());
  if (advice.cause.binding != Binding::unknown && advice.cause.binding != Binding::roof)
    text += fmt::format(" It is bound by {}.", cause_text(advice.cause));
  return paragraph(text + to_know_more(profile, kernel, advice) + " " + more);
}

std::vector<Chart> profile_pictures(const Profile& profile) {
  std::vector<Chart> charts;
  for (const auto& list : {profile_rooflines(profile), profile_instruction_rooflines(profile)})
    for (const RooflineChart& chart : list)
      charts.push_back(make_roofline(chart, "roofline-" + chart.model.name, what_ran(profile)));
  return charts;
}

// ---- The page -----------------------------------------------------------------------------------

namespace {

using page::Html;

/// The page's top: program, device, and remarks on the whole profile.
Html masthead(const Profile& profile) {
  const std::string program =
      profile.program.empty() ? "A program without a name" : profile.program;
  Html blocks = page::paragraph(
      page::code(program) + fmt::format(" Counted by {}. Recorded {}.", profile.source,
                                        profile.created.substr(0, 10)),
      "lead program");
  if (const std::string energy = energy_told(profile); !energy.empty())
    blocks += page::paragraph(energy, "lead");
  if (profile.ceilings)
    blocks += page::paragraph(fmt::format("Roofs of {}.", whose_roofs(profile)), "lead");
  if (profile.kernels.empty()) blocks += page::notice("No kernel is in this profile.");
  return blocks + page::list(profile.notes, "lead notes");
}

/// Nothing where it has no rows.
Html html_of(const RowsBy& rows, Shown shown) {
  const Table table = part_table(rows, shown);
  return table.rows.empty() ? Html() : page::table(table, {.sortable = true, .opens = "name"});
}

/// A chart has a heading if it has no switch.
Html pictures(const std::vector<RooflineChart>& charts, const std::string& prefix, bool switched) {
  Html blocks;
  for (const RooflineChart& chart : charts) {
    const std::string name = "roofline-" + chart.model.name;
    const Html drawn = page::chart(make_roofline(chart, name, ""), prefix + name);
    blocks += switched ? page::with_tags(drawn, {{"precision", chart.model.name}})
                       : page::heading(3, chart.model.title) + drawn;
  }
  return blocks;
}

Html roofline_section(const Profile& profile) {
  const std::vector<RooflineChart> charts = profile_rooflines(profile);
  std::vector<const RooflineChart*> all;
  for (const RooflineChart& chart : charts) all.push_back(&chart);
  const Html drawn = charts.empty() ? page::notice(no_chart(profile))
                                    : page::roofline_switches(all, charts.front().model.name) +
                                          pictures(charts, "", charts.size() > 1);
  const Html doubts = page::facts(doubts_on(profile, true), "reasons");
  return page::section(
      "roofline", "The hierarchical roofline",
      "Each kernel stands once per level of memory: the same speed, over the "
      "bytes moved at that level. Solid roofs were measured or "
      "published, dashed ones follow from the data sheet. Numbers are those of "
      "the table, as far as they find room. Pointing at a marker tells all of it.",
      drawn +
          (doubts.empty() ? doubts : page::folded("Defects of the measurement", doubts, "notice")));
}

/// The section by NVTX range: a table, and charts with the rows as points.
Html ranges_section(const Profile& profile) {
  if (!none_by(profile, By::range).empty()) return {};
  const RowsBy rows = rows_by(profile, By::range);
  Html blocks = html_of(rows, Shown::details) + pictures(profile_rooflines(rows.profile), "ranges-",
                                                         profile_rooflines(profile).size() > 1);
  if (const Html remarks = page::facts(remarks_on(rows.profile, "row"), "reasons");
      !remarks.empty())
    blocks += page::folded("What is missing, and what to know of the numbers", remarks);
  return page::section(
      "ranges", "By NVTX range",
      "A range counts with the ranges in it; \"own\" is what was launched directly "
      "in it. Calls of the same name at the same place are one.",
      blocks);
}

Html roofs_section(const Profile& profile) {
  if (!profile.ceilings) return {};
  Pairs missing;
  for (const Missing& one : profile.ceilings->missing) missing.emplace_back(one.name, one.reason);
  return page::section("roofs", "The roofs",
                       fmt::format("Of {}. What a kernel can reach at most.", whose_roofs(profile)),
                       page::table(without_empty_columns(roofs_table(*profile.ceilings, true))) +
                           page::facts(missing));
}

Html kernels_sections(const Profile& profile) {
  if (profile.kernels.empty()) return {};
  const RowsBy rows = rows_by(profile, By::kernel);
  Html sections = roofline_section(profile);
  if (const auto instructions = profile_instruction_rooflines(profile); !instructions.empty())
    sections +=
        page::instructions_section("instructions", "kernel", pictures(instructions, "", false));
  return sections +
         page::section("results", "The kernels",
                       "Most time first; the numbers are those in the charts. A click on a name "
                       "shows all of it, one on a heading sorts. AI is the arithmetic intensity: "
                       "operations per byte moved at that level.",
                       html_of(rows, Shown::details) + html_of(rows, Shown::work)) +
         ranges_section(profile) +
         page::section("advice", "Look at next", "",
                       page::facts(advice_on_kernels(profile), "reasons")) +
         page::section("missing", "What is missing, and notes", "",
                       page::facts(remarks_on(profile, "kernel"), "reasons"));
}

}  // namespace

std::string profile_page(const Profile& profile, const fs::path& folder) {
  const std::string name =
      visible(fs::absolute(folder / "").lexically_normal().parent_path().filename().string());
  return page::page_html(
      {profile.program + " on " + device_text(profile),
       "Roofline of kernels",
       device_text(profile),
       masthead(profile),
       {},
       kernels_sections(profile) + roofs_section(profile),
       fmt::format("Drawn by roofline {} from the profile {}.", ROOFLINE_VERSION, name)});
}

}  // namespace roofline
