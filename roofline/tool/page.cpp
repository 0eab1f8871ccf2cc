#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "roofline/base/visible.h"
#include "roofline/page/page.h"
#include "roofline/page/shared.h"
#include "roofline/tool/show.h"
#include "roofline/view/roofs_table.h"

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
Html tables_of(const std::vector<Table>& tables) {
  Html blocks;
  for (const Table& table : tables)
    if (!table.rows.empty()) blocks += page::table(table, {.sortable = true, .opens = "name"});
  return blocks;
}

/// Charts of the page: a chart has a heading if it has no switch.
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

/// Defects of the measurement, with the kernels that have them.
Html defects_block(const Profile& profile) {
  Pairs defects = above_roofs(profile);
  for (auto& one : by_text(profile, [](const KernelProfile& kernel) {
         std::vector<std::string> all;
         for (const auto* points : {&kernel.placed.points, &kernel.instructions.points})
           for (const RooflinePoint& point : *points)
             all.insert(all.end(), point.defects.begin(), point.defects.end());
         return all;
       }))
    defects.push_back(std::move(one));
  return defects.empty()
             ? Html()
             : page::folded(fmt::format("Defects of the measurement: {}", defects.size()),
                            page::reasons(defects), "notice", defects.size() <= 4);
}

Html roofline_section(const Profile& profile, const std::string& prefix) {
  const std::vector<RooflineChart> charts = profile_rooflines(profile);
  std::vector<const RooflineChart*> all;
  for (const RooflineChart& chart : charts) all.push_back(&chart);
  const Html drawn = charts.empty()
                         ? page::notice(no_chart(profile))
                         : page::roofline_switches(
                               all, std::ranges::max_element(charts, {}, work_in)->model.name) +
                               pictures(charts, prefix, charts.size() > 1);
  return page::section(prefix + "roofline", "The hierarchical roofline",
                       "Each kernel stands once per level of memory: the same speed, over the "
                       "bytes moved at that level; a line joins them. Solid roofs were measured or "
                       "published, dashed ones follow from the data sheet. Numbers are those of "
                       "the table, as far as they find room. Pointing at a marker tells all of it.",
                       drawn + defects_block(profile));
}

/// What to look at next, that for the hottest kernel first, and each advice once.
Html advice_block(const Profile& profile) {
  return page::reasons(by_text(profile, [&profile](const KernelProfile& kernel) {
    const Advice one = advice_on(profile, kernel);
    return one.cause.binding == Binding::unknown
               ? std::vector<std::string>()
               : std::vector{fmt::format("{}: {}", title_of(one.cause), one.next)};
  }));
}

/// The section by NVTX range: a table, and charts with the rows as points.
Html ranges_section(const Profile& profile, const std::string& prefix) {
  if (!none_by(profile, By::range).empty()) return {};
  const RowsBy rows = rows_by(profile, By::range);
  Html blocks = tables_of({parts_table(rows, true)}) +
                pictures(profile_rooflines(rows.profile), prefix + "ranges-",
                         profile_rooflines(profile).size() > 1);
  if (const Html remarks = page::reasons(remarks_on(rows.profile, "row")); !remarks.empty())
    blocks += page::folded("What is missing, and what to know of the numbers", remarks);
  return page::section(
      prefix + "ranges", "By NVTX range",
      "A range counts with the ranges in it; \"own\" is what was launched directly "
      "in it. Calls of the same name at the same place are one.",
      blocks);
}

Html roofs_section(const Profile& profile, const std::string& prefix) {
  if (!profile.ceilings) return {};
  Pairs missing;
  for (const Missing& one : profile.ceilings->missing) missing.emplace_back(one.reason, one.name);
  return page::section(prefix + "roofs", "The roofs",
                       fmt::format("Of {}. What a kernel can reach at most.", whose_roofs(profile)),
                       page::table(without_empty_columns(roofs_table(*profile.ceilings, true))) +
                           page::reasons(missing));
}

/// `prefix` makes the ids of a profile differ from those of others on the page.
Html sections_of(const Profile& profile, const std::string& name, const std::string& prefix) {
  Html sections;
  if (!profile.kernels.empty()) {
    const RowsBy rows = rows_by(profile, By::kernel);
    if (const auto instructions = profile_instruction_rooflines(profile); !instructions.empty())
      sections += page::instructions_section(
          prefix + "instructions", "kernel",
          pictures(instructions, prefix, false) + tables_of({instructions_table(rows)}));
    sections = roofline_section(profile, prefix) + sections +
               page::section(
                   prefix + "results", "The kernels",
                   "Most time first; the numbers are those in the charts. A click on a name "
                   "shows all of it, one on a heading sorts. AI is the arithmetic intensity: "
                   "operations per byte moved at that level.",
                   tables_of({parts_table(rows, true), launches_table(rows), work_table(rows)})) +
               ranges_section(profile, prefix) +
               page::section(prefix + "advice", "Look at next", "", advice_block(profile)) +
               page::section(prefix + "missing", "What is missing, and notes", "",
                             page::reasons(remarks_on(profile, "kernel")));
  }
  return sections + roofs_section(profile, prefix) +
         page::section(prefix + "record", "The record", "",
                       page::facts({{"program", profile.program},
                                    {"device", profile.device},
                                    {"recorded", profile.created},
                                    {"counted by", profile.source},
                                    {"driver", profile.ceilings ? profile.ceilings->driver : ""},
                                    {"profile", name}}));
}

/// The name of each profile's folder, with a number added to equal names.
std::vector<std::string> names_of(const std::vector<KeptProfile>& kept) {
  std::vector<std::string> names;
  std::map<std::string, int> met;
  for (const KeptProfile& one : kept) {
    const fs::path folder = fs::absolute(one.folder / "").lexically_normal();
    const std::string name = visible(folder.parent_path().filename().string());
    const int count = ++met[name];
    names.push_back(count == 1 ? name : fmt::format("{} ({})", name, count));
  }
  return names;
}

}  // namespace

std::string profile_page(const std::vector<KeptProfile>& kept) {
  const std::vector<std::string> names = names_of(kept);
  const std::string title =
      kept.size() == 1 ? kept.front().profile.program + " on " + device_text(kept.front().profile)
                       : fmt::format("{} profiles", kept.size());
  page::Page page{title, "Roofline of kernels", {}, ""};
  for (std::size_t i = 0; i < kept.size(); ++i)
    page.parts.push_back(
        {names[i],
         device_text(kept[i].profile),
         masthead(kept[i].profile),
         {},
         sections_of(kept[i].profile, names[i], i == 0 ? "" : fmt::format("p{}-", i + 1))});
  page.footer = fmt::format("Drawn by roofline {} from the profile{} {}.", ROOFLINE_VERSION,
                            kept.size() == 1 ? "" : "s", fmt::join(names, ", "));
  return page_html(page);
}

}  // namespace roofline
