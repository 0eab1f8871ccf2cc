#include <fmt/format.h>

#include "roofline/base/text.h"
#include "roofline/page/page.h"
#include "roofline/tool/show.h"
#include "roofline/view/roofline_chart.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
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

/// The tables that have rows.
Html tables_of(const RowsBy& rows, const std::vector<Shown>& which) {
  Html blocks;
  for (const Shown shown : which)
    if (const Table table = part_table(rows, shown); !table.rows.empty())
      blocks += page::table(table, {.sortable = true, .opens = "name"});
  return blocks;
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
  const Html doubts = page::reasons(doubts_on(profile, true));
  return page::section(
      "roofline", "The hierarchical roofline",
      "Each kernel stands once per level of memory: the same speed, over the "
      "bytes moved at that level; a line joins them. Solid roofs were measured or "
      "published, dashed ones follow from the data sheet. Numbers are those of "
      "the table, as far as they find room. Pointing at a marker tells all of it.",
      drawn +
          (doubts.empty() ? doubts : page::folded("Defects of the measurement", doubts, "notice")));
}

/// The section by NVTX range: a table, and charts with the rows as points.
Html ranges_section(const Profile& profile) {
  if (!none_by(profile, By::range).empty()) return {};
  const RowsBy rows = rows_by(profile, By::range);
  Html blocks =
      tables_of(rows, {Shown::details}) +
      pictures(profile_rooflines(rows.profile), "ranges-", profile_rooflines(profile).size() > 1);
  if (const Html remarks = page::reasons(remarks_on(rows.profile, "row")); !remarks.empty())
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
  for (const Missing& one : profile.ceilings->missing) missing.emplace_back(one.reason, one.name);
  return page::section("roofs", "The roofs",
                       fmt::format("Of {}. What a kernel can reach at most.", whose_roofs(profile)),
                       page::table(without_empty_columns(roofs_table(*profile.ceilings, true))) +
                           page::reasons(missing));
}

Html kernels_sections(const Profile& profile) {
  if (profile.kernels.empty()) return {};
  const RowsBy rows = rows_by(profile, By::kernel);
  Html sections = roofline_section(profile);
  if (const auto instructions = profile_instruction_rooflines(profile); !instructions.empty())
    sections += page::instructions_section(
        "instructions", "kernel",
        pictures(instructions, "", false) + tables_of(rows, {Shown::instructions}));
  return sections +
         page::section("results", "The kernels",
                       "Most time first; the numbers are those in the charts. A click on a name "
                       "shows all of it, one on a heading sorts. AI is the arithmetic intensity: "
                       "operations per byte moved at that level.",
                       tables_of(rows, {Shown::details, Shown::launches, Shown::work})) +
         ranges_section(profile) +
         page::section("advice", "Look at next", "", page::reasons(advice_on_kernels(profile))) +
         page::section("missing", "What is missing, and notes", "",
                       page::reasons(remarks_on(profile, "kernel")));
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
