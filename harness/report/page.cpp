// The page of a report: its top, its tables, and the evidence for the numbers.
#include "harness/report/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/program/build_info.h"
#include "harness/record/derive.h"
#include "harness/report/sections.h"
#include "harness/view/outcome.h"
#include "harness/view/study_charts.h"
#include "harness/view/summary.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/page/page.h"
#include "roofline/view/roofs_table.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
namespace page = roofline::page;

/// What a study is of: "512 bands, ... Recorded 2026-01-31.", and doubts about it.
Html lead_of(const NamedStudy& named, bool several) {
  const StudyRecord& study = named.study;
  const Kernel& kernel = kernel_of(study);
  const std::string told =
      kernel.describe_input == nullptr ? "" : kernel.describe_input(study.input);
  const std::string input = input_name(study.input);
  Html blocks = page::paragraph(
      fmt::format("{}{}{}{}. Recorded {}.", several ? named.name + ": " : "", input,
                  told.empty() || input.empty() ? "" : ": ", told, study.created.substr(0, 10)),
      "lead");
  if (!study.complete)
    blocks += page::notice("Partial: " + named.name +
                           ". This study was interrupted or killed, or is still under way. It "
                           "holds what was measured until then.");
  if (const std::string text = doubts(study, false); !text.empty())
    blocks += page::notice(roofline::replaced(text, {{'\n', " "}}));
  return blocks;
}

const ShownRow* fastest_of(const std::vector<ShownRow>& timed) {
  const auto fastest = std::ranges::max_element(
      timed, {}, [](const ShownRow& row) { return terms_per_second(row.study(), *row.result); });
  return fastest == timed.end() ? nullptr : &*fastest;
}

/// What the studies found: each variant of one's own beside the step it was made from, or else the
/// fastest variant beside the first: "1.78x over v8, disturbed".
Html headlines(const ShownResults& shown) {
  Html lines;
  const auto add = [&](const ShownRow& row, const Result* before) {
    std::string gain;
    if (before != nullptr && before != row.result)
      gain =
          fmt::format(": {} over {}",
                      roofline::times_text(before->timing().median / row.result->timing().median),
                      before->variant);
    if (row.result->trusted().disturbed || (before != nullptr && before->trusted().disturbed))
      gain += ", disturbed";
    lines +=
        page::paragraph(fmt::format("{} ({}) takes {}{}", row.result->variant, row.series_label(),
                                    roofline::with_prefix(row.result->timing().median, "s"), gain),
                        "headline");
  };
  const std::vector<ShownRow> timed = shown.timed();
  for (const ShownRow& row : timed) {
    const ShownRow* before = row.result->sources.empty() ? nullptr : shown.before(row);
    if (!row.result->sources.empty()) add(row, before == nullptr ? nullptr : before->result);
  }
  if (const ShownRow* fastest = fastest_of(timed); lines.empty() && fastest != nullptr)
    add(*fastest, first_step_of(fastest->study(), *fastest->result));
  return lines;
}

Html masthead(const std::vector<NamedStudy>& studies, const ShownResults& shown) {
  Html blocks = headlines(shown);
  std::set<std::string> inputs;
  for (const NamedStudy& named : studies) {
    blocks += lead_of(named, studies.size() > 1);
    inputs.insert(named.study.input.sha256);
  }
  if (inputs.size() > 1)
    blocks +=
        page::notice(fmt::format("These studies have different inputs: compare {}/s and speedups, "
                                 "not times.",
                                 kernel_of(studies.front().study).work));
  std::vector<std::string> failed;
  for (const ShownRow& row : shown.rows())
    if (row.result->status == Status::failed)
      failed.push_back(fmt::format("{} ({}): {}", full_name(*row.result), row.series_label(),
                                   row.result->reason));
  if (!failed.empty())
    blocks += page::notice(
        fmt::format("{} of {} failed and are on no chart:", failed.size(), shown.rows().size()),
        failed, "failures");
  return blocks;
}

/// The choice of machines and models for all charts, tables and panels.
Html scope_of(const ShownResults& shown) {
  std::vector<page::Choice> machines, models;
  for (const ShownMachine& machine : shown.machines())
    machines.push_back({machine.key, machine.label});
  const std::set<std::string> first = first_models(shown);
  for (const ShownRow& row : shown.rows())
    if (std::ranges::find(models, row.model, &page::Choice::key) == models.end())
      models.push_back({row.model, row.model, {}, first.contains(row.model)});
  return page::some_of("machine", "Machines", machines) + page::some_of("model", "Models", models);
}

Html results_section(const ShownResults& shown) {
  Table results = results_table(shown);
  std::set<std::string> signs;
  for (const ShownMachine& machine : shown.machines()) signs.insert(marks(machine.named->study));
  results.notes.insert(results.notes.end(), signs.begin(), signs.end());
  Html blocks = page::table(results, {.sortable = true});
  if (const Table places = places_table(shown); !places.rows.empty())
    blocks += page::table(places, {.sortable = true});
  return page::section(
      "results", "All results",
      "Every variant that passed its check, and below where it stands under its roofs. A click on "
      "a heading sorts, a second one turns the order.",
      blocks);
}

Html ceilings_section(const ShownResults& shown) {
  Html blocks;
  for (const ShownMachine& machine : shown.machines())
    if (machine.ceilings != nullptr && !machine.ceilings->list.empty())
      blocks += page::table(without_empty_columns(roofs_table(*machine.ceilings, false)));
  return page::section("ceilings", "The roofs",
                       "What each machine can do at most: measured by small kernels of our own, "
                       "and by its data sheet at the clock seen meanwhile.",
                       blocks);
}

/// What did not run, and the facts of each study.
Html record_sections(const std::vector<NamedStudy>& studies) {
  page::Pairs missing;
  Html facts;
  for (const NamedStudy& named : studies) {
    facts += page::folded(named.name, page::facts(facts_of(named.study)));
    for (const Result& result : named.study.results)
      if (result.status == Status::unavailable)
        missing.emplace_back(fmt::format("{}, {}: {}", named.name, result.model, result.reason),
                             full_name(result));
  }
  return page::section("unavailable", "Not run here", "", page::reasons(missing)) +
         page::section("record", "The record", "Machine, compilers, input, source.", facts);
}

Html sections_of(const std::vector<NamedStudy>& studies, const ShownResults& shown,
                 const std::vector<NamedTrajectory>& trajectories) {
  Html sections;
  if (shown.timed().empty())
    sections += page::notice("No variant passed its check, so there is nothing to draw.");
  else
    sections += scaling_section(studies) + trajectory_sections(trajectories) +
                published_ladder_sections(studies) + chart_sections(shown) +
                results_section(shown) + steps_section(shown) + source_section(shown);
  return sections + ceilings_section(shown) + record_sections(studies);
}

std::string footer_of(const std::vector<NamedStudy>& studies, const Kernel& kernel) {
  std::vector<std::string> records;
  for (const NamedStudy& named : studies) records.push_back(named.name + "/study.json");
  return fmt::format(
      "Drawn by gpp {} from {}. Source differences are those of the program that drew this report, "
      "revision {}.{}",
      build_info::version, fmt::join(records, ", "),
      std::string(build_info::git_revision).substr(0, 12),
      kernel.published == nullptr
          ? ""
          : fmt::format(" Published times: {}.", kernel.published().source));
}

}  // namespace

std::set<std::string> first_models(const ShownResults& shown) {
  const std::vector<ShownRow> timed = shown.timed();
  std::set<std::string> models;
  if (const ShownRow* fastest = fastest_of(timed)) models.insert(fastest->model);
  for (const ShownRow& row : timed)
    if (!row.result->sources.empty()) models.insert(row.model);
  return models;
}

std::string report_html(const std::vector<NamedStudy>& studies,
                        const std::vector<NamedTrajectory>& trajectories) {
  const ShownResults shown(studies);
  const std::string title = shown.kernel().title;
  std::vector<std::string> machines;
  for (const ShownMachine& machine : shown.machines()) machines.push_back(machine.label);
  const std::string heading = fmt::format("{}", fmt::join(machines, ", "));
  return page::page_html(
      {machines.empty() ? title : title + " on " + heading, title + " roofline study",
       machines.empty() ? "Nothing ran" : heading, masthead(studies, shown), scope_of(shown),
       sections_of(studies, shown, trajectories), footer_of(studies, shown.kernel())});
}

fs::path write_report(const fs::path& folder, const std::vector<NamedStudy>& studies,
                      const std::vector<NamedTrajectory>& trajectories) {
  const fs::path path = folder / "report.html";
  roofline::write_whole(path, report_html(studies, trajectories));
  return path;
}

std::string in_full(const StudyRecord& study, bool colours) {
  return summary(study, colours) + terminal_rooflines(study) + doubts(study, colours);
}

roofline::WrittenCharts write_study(const ResultsFolder& folder, const Measured& measured) {
  folder.write(measured.study);  // first: everything drawn can be redrawn from it
  const fs::path& path = folder.path();
  const std::vector<NamedStudy> named = {{folder_label(path), measured.study}};
  roofline::write_whole(path / "study.csv", csv(named));
  roofline::write_whole(path / "summary.txt",
                        in_full(measured.study, false) + learnt(measured.study));
  roofline::WrittenCharts charts = roofline::write_charts(path, study_charts(named));
  write_report(path, named);
  return charts;
}

}  // namespace gpp
