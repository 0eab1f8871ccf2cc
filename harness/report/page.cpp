#include "harness/report/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/program/build_info.h"
#include "harness/record/derive.h"
#include "harness/report/sections.h"
#include "harness/view/summary.h"
#include "roofline/base/replace_file.h"
#include "roofline/page/page.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
namespace page = roofline::page;

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
  Html blocks = page::table(results_table(shown), {.sortable = true, .hidden_caption = true});
  std::string signs;
  for (const ShownMachine& machine : shown.machines())
    if (const std::string own = marks(machine.named->study); signs.find(own) == signs.npos)
      signs += own;
  if (!signs.empty()) blocks += page::paragraph(signs, "small");
  if (const Table places = places_table(shown); !places.rows.empty())
    blocks += page::table(places, {.sortable = true});
  return page::section(
      "results", "All results",
      "Every variant that passed its check, and below where it stands under its roofs. A click on "
      "a heading sorts, a second one turns the order.",
      blocks);
}

Html sections_of(const std::vector<NamedStudy>& studies, const ShownResults& shown,
                 const std::vector<NamedTrajectory>& trajectories) {
  Html sections = partial_notices(studies);
  if (!shown.timed().empty())
    sections += scaling_section(studies) + trajectory_sections(trajectories) +
                published_ladder_sections(studies) + ladder_section(shown) +
                roofline_section(shown) + instructions_section(shown) + time_section(shown) +
                plane_section(shown) + stalls_section(shown) + results_section(shown) +
                steps_section(shown) + source_section(shown);
  else
    sections += page::notice("No variant passed its check, so there is nothing to draw.");
  return sections + ceilings_section(shown) + unavailable_section(studies) +
         record_section(studies);
}

}  // namespace

const ShownRow* fastest_of(const ShownResults& shown) {
  const ShownRow* fastest = nullptr;
  const auto speed = [](const ShownRow& row) { return terms_per_second(row.study(), *row.result); };
  for (const ShownRow& row : shown.rows())
    if (row.result->timed() && (fastest == nullptr || speed(row) > speed(*fastest))) fastest = &row;
  return fastest;
}

std::set<std::string> first_models(const ShownResults& shown) {
  std::set<std::string> models;
  if (const ShownRow* fastest = fastest_of(shown)) models.insert(fastest->model);
  for (const ShownRow& row : shown.timed())
    if (!row.result->sources.empty()) models.insert(row.model);
  return models;
}

std::string report_html(const std::vector<NamedStudy>& studies,
                        const std::vector<NamedTrajectory>& trajectories) {
  const ShownResults shown(studies);
  const std::string title = shown.kernel().title;
  return page::page_html(
      {shown.machines().empty() ? title : fmt::format("{} on {}", title, heading(shown)),
       title + " roofline study",
       {{"", heading(shown), masthead(studies, shown), scope_of(shown),
         sections_of(studies, shown, trajectories)}},
       footer_of(studies, shown.kernel())});
}

fs::path write_report(const fs::path& folder, const std::vector<NamedStudy>& studies,
                      const std::vector<NamedTrajectory>& trajectories) {
  const fs::path path = folder / "report.html";
  roofline::write_whole(path, report_html(studies, trajectories));
  return path;
}

}  // namespace gpp
