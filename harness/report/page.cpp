#include "harness/report/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/program/build_info.h"
#include "harness/report/sections.h"
#include "harness/view/study_charts.h"
#include "roofline/base/replace_file.h"
#include "roofline/page/assemble.h"

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

/// Adds the choice of machines and models for all charts, tables and panels.
PageJson add_scope(PageParts& parts) {
  std::vector<page::Choice> machines, models;
  for (const ShownMachine& machine : parts.shown.machines())
    machines.push_back({machine.key, machine.label});
  for (const ShownRow& row : parts.shown.rows())
    if (std::none_of(models.begin(), models.end(),
                     [&](const page::Choice& one) { return one.key == row.model; }))
      models.push_back({row.model, row.model});
  PageJson scope = PageJson::array();
  parts.switches["machine"] = page::some_of("Machines", machines);
  parts.switches["model"] = page::some_of("Models", models);
  if (machines.size() > 1) scope.push_back("machine");
  if (models.size() > 1) scope.push_back("model");
  return scope;
}

PageJson results_section(const ShownResults& shown) {
  PageJson blocks = PageJson::array(
      {page::table(without_empty_columns(results_table(shown)), {{"sortable", true}})});
  if (const ViewTable places = places_table(shown); !places.rows.empty())
    blocks.push_back(page::table(places, {{"sortable", true}}));
  return page::section(
      "results", "All results",
      "Every variant that passed its check, and below where it stands under its roofs. A click on "
      "a heading sorts, a second one turns the order.",
      blocks);
}

PageJson sections_of(PageParts& parts, const std::vector<NamedTrajectory>& trajectories) {
  PageJson sections = PageJson::array();
  const ShownResults& shown = parts.shown;
  const bool timed = std::any_of(shown.rows().begin(), shown.rows().end(),
                                 [](const ShownRow& row) { return row.result->timed(); });
  if (timed) {
    const Charts charts = page_charts(parts.studies);
    page::add(sections, scaling_section(parts.studies));
    for (PageJson& one : trajectory_sections(trajectories)) sections.push_back(std::move(one));
    for (PageJson& one : published_ladder_sections(parts.studies, charts))
      sections.push_back(std::move(one));
    page::add(sections, ladder_section(parts, charts));
    page::add(sections, roofline_section(parts, charts));
    page::add(sections, instructions_section(shown, charts));
    page::add(sections, time_section(charts));
    page::add(sections, plane_section(parts, charts));
    page::add(sections, stalls_section(shown, charts));
    page::add(sections, results_section(shown));
    page::add(sections, steps_section(parts));
    page::add(sections, source_section(parts));
  }
  page::add(sections, ceilings_section(shown));
  page::add(sections, unavailable_section(parts.studies));
  page::add(sections, record_section(parts.studies));
  return sections;
}

}  // namespace

nlohmann::ordered_json page_model(const std::vector<NamedStudy>& studies,
                                  const std::vector<NamedTrajectory>& trajectories) {
  const ShownResults shown(studies);
  PageParts parts{studies, shown};
  PageJson one = {{"name", ""},
                  {"heading", heading(shown)},
                  {"masthead", masthead(parts)},
                  {"notices", partial_notices(studies)},
                  {"scope", add_scope(parts)},
                  {"sections", sections_of(parts, trajectories)}};
  if (!std::any_of(shown.rows().begin(), shown.rows().end(),
                   [](const ShownRow& row) { return row.result->timed(); }))
    one["notices"].push_back(
        page::notice("No variant passed its check, so there is nothing to draw."));
  one["switches"] = parts.switches;
  return {{"kicker", kernel_of_all(studies).title + " roofline study"},
          {"footer", footer_of(studies)},
          {"pages", {one}}};
}

fs::path write_report(const fs::path& folder, const std::vector<NamedStudy>& studies,
                      const std::vector<NamedTrajectory>& trajectories) {
  const fs::path path = folder / "report.html";
  roofline::PageParts parts = roofline::page_parts();
  parts.without_script =
      "Everything it shows is in the files study.json and trajectory.json that it was made from; "
      "<code>gpp report DIR</code> prints the table.";
  roofline::write_whole(
      path, roofline::assemble_page(parts, title_of(studies), page_model(studies, trajectories)));
  return path;
}

}  // namespace gpp
