#include "roofline/tool/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "roofline/advice.h"
#include "roofline/base/table.h"
#include "roofline/base/terminal.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/tool/page_tables.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {

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

namespace {

namespace fs = std::filesystem;

/// Returns "1", "2", ...; markers in charts and rows in tables have the same number.
std::string number_of(std::size_t index) { return std::to_string(index + 1); }

/// Returns "all kernels", or their numbers.
std::string rows_text(const std::string& word, const std::vector<std::size_t>& numbers,
                      std::size_t all) {
  if (numbers.size() == all && all > 1) return "all " + word + "s";
  return fmt::format("{}{} {}", word, numbers.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
}

std::size_t shown_kernels(const Profile& profile) {
  return std::min(profile.kernels.size(), most_shown);
}

constexpr std::size_t longest_in_brief = 40;  ///< length of a kernel's name

/// The kernels with time, share and nearest roof.
std::string kernels_text(const Profile& profile) {
  return terminal_text(table_of(joined({{index_column(), name_column(longest_in_brief),
                                         launches_column(), time_column(""), share_column()},
                                        nearest_columns()}),
                                part_rows(profile, most_shown), Table()));
}

std::string warning_of(const Profile& profile) {
  const std::string above = above_roofs(profile);
  return above.empty() ? "" : paragraph("! " + above, 2, text_width());
}

std::string roofs_of(const Profile& profile) {
  if (!profile.ceilings) return paragraph(no_chart(profile), 2, text_width());
  std::string text;
  for (const Ceiling& roof : profile.ceilings->list)
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", roof.label,
                        describe_rate(roof.measured, rate_unit(roof)));
  return paragraph(fmt::format("roofs of {}: {}", whose_roofs(profile), text), 2, text_width());
}

/// What is to know of an imported profile before all else: what its files contradict each other in.
std::string notes_of(const Profile& profile) {
  std::string text;
  if (profile.source != "cupti")
    for (const std::string& note : profile.notes) text += paragraph("note: " + note, 2);
  return text;
}

/// Advice on each kernel: its limit, and what to examine.
std::string advice_text(const Profile& profile) {
  using enum Align;
  Table table = plain_table({{"", right}, {"bound by"}, {"what"}, {"shown by"}, {"beside that"}});
  std::vector<Advice> all;
  for (std::size_t i = 0; i < shown_kernels(profile); ++i) {
    const Advice advice = advice_on(profile, profile.kernels[i]);
    if (advice.cause.binding == Binding::unknown) continue;
    table.add({number_of(i), std::string(name_of(advice.cause.binding)), title_of(advice.cause),
               advice.cause.evidence, advice.also ? title_of(*advice.also) : "-"});
    all.push_back(advice);
  }
  if (table.rows.empty()) return {};
  return "What to look at next\n" + terminal_text(table) + looks_text(all, text_width());
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
  const std::optional<Nearest> others = nearest_of(profile, kernel);
  own.told = fmt::format(
      ", at its own clock of {:.3f} GHz; of those measured at {:.3f} GHz it is at {}", clock / giga,
      of_roofs / giga,
      others ? fmt::format("{} of {}", percent_text(others->percent), roof_label(profile, *others))
             : "none");
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
                               !amd                       ? "ncu"
                               : profile.kind == "amd"    ? "rocprof"
                               : profile.kind == "gfx94x" ? "rocprof --chip gfx942"
                                                          : "rocprof --chip gfx950"));
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
  const auto add = [&](std::size_t i, const RooflinePoints& placed_so, const char* by) {
    for (const RooflinePoint& point : placed_so.points) {
      most = std::max(most, point.flop);
      if (point.precision != model || !is_shown(point)) continue;
      Step step{number_of(i), point};
      step.title = fmt::format("{} {}{}{}", step.label, visible(label_of(profile.kernels[i])),
                               *by == '\0' ? "" : ", ", by);
      steps.push_back(std::move(step));
    }
  };
  for (std::size_t i = 0; i < shown_kernels(profile); ++i) {
    const KernelProfile& kernel = profile.kernels[i];
    add(i, kernel.*placed, "");
    if (placed == &KernelProfile::placed && kernel.stated)
      add(i, kernel.stated->placed, by_formula);
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

}  // namespace

double work_in(const RooflineChart& chart) {
  double sum = 0;
  for (const Step& step : chart.steps) sum += step.point.flop;
  return sum;
}

std::vector<RooflineChart> profile_rooflines(const Profile& profile) {
  return charts_of(profile, table_of(profile.kind).models, &KernelProfile::placed);
}

std::vector<RooflineChart> profile_instruction_rooflines(const Profile& profile) {
  return charts_of(profile, table_of(profile.kind).instruction_models,
                   &KernelProfile::instructions);
}

std::string where_roofs_are(const Profile& profile) {
  return profile.kind == nvidia_table().device
             ? "Measure them where the device is, roofline ceilings --json > roofs.json, and name "
               "them: --roofs roofs.json."
             : "Name those that rocprof-compute measured there: --roofs roofline.csv.";
}

std::string no_chart(const Profile& profile) {
  return profile.ceilings
             ? "No chart: no kernel with work to speak of lies below these roofs."
             : "No roofs: those of this device are not known here. " + where_roofs_are(profile);
}

std::string energy_told(const Profile& profile) {
  if (!profile.energy) return {};
  const EnergyUsed& energy = *profile.energy;
  return fmt::format("Energy: the GPU took {:.0f} W while the program was timed, {} in {}.",
                     energy.watts(), with_prefix(energy.joules, "J"),
                     describe_seconds(energy.seconds));
}

std::string rest_of(const Profile& profile) {
  double seconds = 0;
  std::int64_t launches = 0;
  for (std::size_t i = most_shown; i < profile.kernels.size(); ++i) {
    seconds += profile.kernels[i].seconds.value_or(0);
    launches += profile.kernels[i].launches;
  }
  return fmt::format("{} more kernels have {} launches and {} of the time",
                     profile.kernels.size() - shown_kernels(profile), launches,
                     share_cell(seconds, profile.seconds()).text);
}

std::string shown_text(Table table, const std::string& option) {
  const std::size_t more = table.rows.size() - std::min(table.rows.size(), most_shown);
  table.rows.resize(table.rows.size() - more);
  return terminal_text(table, false, text_width()) +
         (more > 0 ? fmt::format("And {} more: {} lists all.\n", more, option) : "") + "\n";
}

Pairs by_text(const Profile& profile,
              const std::function<std::vector<std::string>(const KernelProfile&)>& texts,
              const std::string& word) {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> all;
  for (std::size_t i = 0; i < profile.kernels.size(); ++i) {
    const std::vector<std::string> own = texts(profile.kernels[i]);
    for (const std::string& text : std::set<std::string>(own.begin(), own.end())) {
      const auto found =
          std::ranges::find_if(all, [&](const auto& one) { return one.first == text; });
      if (found == all.end())
        all.push_back({text, {i + 1}});
      else
        found->second.push_back(i + 1);
    }
  }
  Pairs pairs;
  for (const auto& [text, numbers] : all)
    pairs.emplace_back(text, rows_text(word, numbers, profile.kernels.size()));
  return pairs;
}

Pairs missing_by_text(const Profile& profile, const std::string& word) {
  return by_text(
      profile,
      [](const KernelProfile& kernel) {
        std::map<std::string, std::set<std::string>> names;  // names by reason (often common)
        for (const Missing& one : kernel.missing) names[one.reason].insert(one.name);
        std::vector<std::string> texts;
        for (const auto& [reason, of] : names)
          texts.push_back(fmt::format("{}: {}", fmt::join(of, ", "), reason));
        return texts;
      },
      word);
}

Pairs notes_by_text(const Profile& profile, const std::string& word) {
  return by_text(
      profile, [](const KernelProfile& kernel) { return kernel.notes; }, word);
}

std::string remarks_text(const Profile& profile, const std::string& word) {
  std::string text;
  const auto add = [&text](const std::string& line) { text += paragraph(line, 2, text_width()); };
  for (const auto& [missing, rows] : missing_by_text(profile, word))
    add(fmt::format("missing ({}): {}", rows, missing));
  for (const std::string& note : profile.notes) add("note: " + note);
  for (const auto& [note, rows] : notes_by_text(profile, word))
    add(fmt::format("note ({}): {}", rows, note));
  return text;
}

std::string profile_table(const Profile& profile) {
  std::string text = profile_headline(profile) + "\n\n";
  for (const Table& table : {kernels_table(profile), launches_table(profile), stated_table(profile),
                             work_table(profile), instructions_table(profile)})
    if (!table.rows.empty()) text += table.caption + "\n" + shown_text(table);
  if (const std::string advice = advice_text(profile); !advice.empty()) text += advice + "\n";
  if (const std::string energy = energy_told(profile); !energy.empty())
    text += paragraph(energy, 2, text_width());
  return text + warning_of(profile) + roofs_of(profile) + remarks_text(profile);
}

std::string profile_brief(const Profile& profile) {
  const bool incomplete = std::ranges::any_of(
      profile.kernels, [](const KernelProfile& kernel) { return !kernel.missing.empty(); });
  return wrapped(profile_headline(profile), 100, 0) + "\n\n" + kernels_text(profile) +
         (profile.kernels.size() > most_shown ? rest_of(profile) + ": --json lists all.\n" : "") +
         warning_of(profile) +
         (profile.ceilings ? paragraph(fmt::format("Roofs of {}.", whose_roofs(profile)), 2) : "") +
         (profile.energy ? paragraph(energy_told(profile), 2) : "") + notes_of(profile) +
         (profile.ranges.empty() ? "" : "There are NVTX ranges: --by range shows them.\n") +
         (incomplete ? "Some counters are missing: --details tells which, and why.\n" : "");
}

std::string profile_learnt(const Profile& profile, const fs::path& folder) {
  const std::string kept = folder.empty() ? "" : fmt::format(" {}", visible(folder.string()));
  const std::string more = folder.empty() ? "--details shows the rest."
                                          : fmt::format("Next: roofline show --details{}", kept);
  if (profile.kernels.empty() || !profile.kernels.front().seconds)
    return paragraph("No time of a kernel is known. " + more);
  const KernelProfile& kernel = profile.kernels.front();
  std::string text = fmt::format("{} takes {} of the time", visible(shown_name(kernel)),
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

std::string profile_charts(const Profile& profile) {
  constexpr double least = 0.2;
  std::vector<RooflineChart> charts = profile_rooflines(profile);
  std::ranges::stable_sort(charts, std::greater(), work_in);
  double all = 0;
  for (const RooflineChart& chart : charts) all += work_in(chart);
  std::string text;
  for (const RooflineChart& chart : charts)
    if (work_in(chart) >= least * all)
      text +=
          terminal_roofline(chart, fmt::format("{}, {}", what_ran(profile), chart.model.title)) +
          "\n";
  return text.empty() && profile.ceilings ? no_chart(profile) + "\n" : text;
}

std::vector<Chart> profile_pictures(const Profile& profile) {
  std::vector<Chart> charts;
  for (const auto& list : {profile_rooflines(profile), profile_instruction_rooflines(profile)})
    for (const RooflineChart& chart : list)
      charts.push_back(make_roofline(chart, "roofline-" + chart.model.name, what_ran(profile)));
  return charts;
}

}  // namespace roofline
