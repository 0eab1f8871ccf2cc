#include "harness/report/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/program/build_info.h"
#include "harness/record/derive.h"
#include "harness/report/sections.h"
#include "roofline/base/replace_file.h"
#include "roofline/page/page.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
namespace page = roofline::page;

const Kernel& kernel_of_all(const std::vector<NamedStudy>& studies) {
  return studies.empty() ? *kernels().front() : kernel_of(studies.front().study);
}

/// Returns a title like "Sigma-GPP on NVIDIA H200, Intel Xeon".
std::string title_of(const std::vector<NamedStudy>& studies) {
  const std::string title = kernel_of_all(studies).title;
  const ShownResults shown(studies);
  return shown.machines().empty() ? title : fmt::format("{} on {}", title, heading(shown));
}

std::string footer_of(const std::vector<NamedStudy>& studies) {
  std::vector<std::string> records;
  for (const NamedStudy& named : studies) records.push_back(named.name + "/study.json");
  const Kernel& kernel = kernel_of_all(studies);
  return fmt::format(
      "Drawn by gpp {} from {}. Source differences are those of the program that drew this report, "
      "revision {}.{}",
      build_info::version, fmt::join(records, ", "),
      std::string(build_info::git_revision).substr(0, 12),
      kernel.published == nullptr
          ? ""
          : fmt::format(" Published times: {}.", kernel.published().source));
}

/// The model of the fastest variant, and those of variants of one's own, are shown first.
std::set<std::string> first_models(const ShownResults& shown) {
  const ShownRow* fastest = nullptr;
  std::set<std::string> models;
  const auto speed = [](const ShownRow& row) { return terms_per_second(row.study(), *row.result); };
  for (const ShownRow& row : shown.rows()) {
    if (!row.result->timed()) continue;
    if (fastest == nullptr || speed(row) > speed(*fastest)) fastest = &row;
    if (!row.result->sources.empty()) models.insert(row.model);
  }
  if (fastest != nullptr) models.insert(fastest->model);
  return models;
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
  Html blocks = page::table(without_empty_columns(results_table(shown)),
                            {.sortable = true, .hidden_caption = true});
  if (const ViewTable places = places_table(shown); !places.rows.empty())
    blocks += page::table(places, {.sortable = true});
  return page::section(
      "results", "All results",
      "Every variant that passed its check, and below where it stands under its roofs. A click on "
      "a heading sorts, a second one turns the order.",
      blocks);
}

Html sections_of(const std::vector<NamedStudy>& studies, const ShownResults& shown,
                 const std::vector<NamedTrajectory>& trajectories) {
  const bool timed = std::any_of(shown.rows().begin(), shown.rows().end(),
                                 [](const ShownRow& row) { return row.result->timed(); });
  Html sections = partial_notices(studies);
  if (timed)
    sections += scaling_section(studies) + trajectory_sections(trajectories) +
                published_ladder_sections(studies) + ladder_section(studies) +
                roofline_section(studies, shown) + instructions_section(studies, shown) +
                time_section(studies) + plane_section(studies) + stalls_section(studies, shown) +
                results_section(shown) + steps_section(shown) + source_section(shown);
  else
    sections += page::notice("No variant passed its check, so there is nothing to draw.");
  return sections + ceilings_section(shown) + unavailable_section(studies) +
         record_section(studies);
}

}  // namespace

std::string report_html(const std::vector<NamedStudy>& studies,
                        const std::vector<NamedTrajectory>& trajectories) {
  const ShownResults shown(studies);
  return page::page_html({title_of(studies),
                          kernel_of_all(studies).title + " roofline study",
                          {{"", heading(shown), masthead(studies, shown), scope_of(shown),
                            sections_of(studies, shown, trajectories)}},
                          footer_of(studies)});
}

fs::path write_report(const fs::path& folder, const std::vector<NamedStudy>& studies,
                      const std::vector<NamedTrajectory>& trajectories) {
  const fs::path path = folder / "report.html";
  roofline::write_whole(path, report_html(studies, trajectories));
  return path;
}

}  // namespace gpp
