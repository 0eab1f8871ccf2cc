// The page of a report: its top, its tables, and the evidence for the numbers.
#include "harness/report/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/program/build_info.h"
#include "harness/report/sections.h"
#include "harness/view/outcome.h"
#include "harness/view/study_charts.h"
#include "harness/view/summary.h"
#include "roofline/base/files.h"
#include "roofline/page/page.h"
#include "roofline/view/roofline_chart.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
namespace page = roofline::page;

/// What a study is of, what is wrong in it, and doubtful.
Html lead_of(const NamedStudy& named, bool several) {
  const StudyRecord& study = named.study;
  Html blocks = page::paragraph(fmt::format("{}{}. Recorded {}.", several ? named.name + ": " : "",
                                            headline_of(study), study.created.substr(0, 10)),
                                "lead");
  if (const auto faults = faults_of(study); !faults.empty())
    blocks += page::notice("Not all is well:", faults, "failures");
  for (const std::string& doubt : doubts_of(study)) blocks += page::notice(doubt);
  return blocks;
}

Html masthead(const std::vector<NamedStudy>& studies, const ShownResults& shown) {
  Html blocks;
  for (const StudyFinding& found : findings(shown))
    blocks += page::paragraph(
        fmt::format("{}: {}", found.row.series_label(), gain_sentence(found.outcome)), "headline");
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
  const Table places = places_table(shown);
  return page::section(
      "results", "All results",
      "Every variant that passed its check, and below where it stands under its roofs. A click on "
      "a heading sorts, a second one turns the order.",
      page::table(results, {.sortable = true}) +
          (places.rows.empty() ? Html() : page::table(places, {.sortable = true})));
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

Html record_section(const std::vector<NamedStudy>& studies) {
  Html blocks;
  for (const NamedStudy& named : studies)
    blocks += page::folded(named.name, page::facts(facts_of(named.study))) +
              page::list(remarks_on_results(named.study));
  return page::section("record", "The record",
                       "Machine, compilers, input, source; what did not run or is doubtful.",
                       blocks);
}

Html sections_of(const std::vector<NamedStudy>& studies, const ShownResults& shown,
                 const std::vector<NamedTrajectory>& trajectories) {
  Html sections = trajectory_sections(trajectories);
  if (!shown.timed().empty())
    sections += scaling_section(studies) + published_ladder_sections(studies) +
                chart_sections(shown) + results_section(shown) + steps_section(shown) +
                source_section(shown);
  else if (trajectories.empty())
    sections += page::notice("No variant passed its check, so there is nothing to draw.");
  return sections + ceilings_section(shown) + record_section(studies);
}

std::string footer_of(const Kernel& kernel) {
  return fmt::format("Drawn by gpp {}, revision {}, whose sources the differences show.{}",
                     build_info::version, std::string(build_info::git_revision).substr(0, 12),
                     kernel.published == nullptr
                         ? ""
                         : fmt::format(" Published times: {}.", kernel.published().source));
}

}  // namespace

std::set<std::string> first_models(const ShownResults& shown) {
  std::set<std::string> models;
  for (const StudyFinding& found : findings(shown)) models.insert(found.row.model);
  return models;
}

std::string report_html(const std::vector<NamedStudy>& studies,
                        const std::vector<NamedTrajectory>& trajectories) {
  const ShownResults shown(studies);
  const std::string title = shown.kernel().title;
  std::vector<std::string> machines;
  for (const ShownMachine& machine : shown.machines()) machines.push_back(machine.label);
  for (const NamedTrajectory& named : trajectories)
    machines.push_back(short_device(named.trajectory.device));
  const std::string heading = fmt::format("{}", fmt::join(machines, ", "));
  return page::page_html({machines.empty() ? title : title + " on " + heading,
                          title + " roofline study", machines.empty() ? "Nothing ran" : heading,
                          masthead(studies, shown), scope_of(shown),
                          sections_of(studies, shown, trajectories), footer_of(shown.kernel())});
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

roofline::WrittenCharts write_study(ResultsFolder& folder, const Measured& measured) {
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
