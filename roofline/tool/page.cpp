#include "roofline/tool/show.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/page/page.h"
#include "roofline/page/rooflines.h"
#include "roofline/points.h"
#include "roofline/tool/by.h"
#include "roofline/tool/page_tables.h"
#include "roofline/view/roofs_table.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using page::Html;

std::string plural(std::int64_t count, const std::string& word) {
  return fmt::format("{} {}{}", with_commas(static_cast<std::uint64_t>(count)), word,
                     count == 1 ? "" : "s");
}

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
  blocks += page::list(profile.notes, "lead notes");
  if (profile.ceilings && !foreign_roofs(profile).empty())
    blocks += page::notice(fmt::format("The roofs are those of {}{}.", profile.ceilings->device,
                                       foreign_roofs(profile)));
  return blocks;
}

Html results_section(const Profile& profile, const std::string& prefix) {
  Html blocks;
  const bool more = profile.kernels.size() > most_shown;
  if (more)
    blocks += page::on_or_off(
        "all",
        fmt::format("All {}", plural(static_cast<std::int64_t>(profile.kernels.size()), "kernel")),
        false);
  const page::TableLook look{.sortable = true, .opens = "kernel"};
  blocks += page::table(kernels_table(profile), look);
  for (const Table& table : {launches_table(profile), stated_table(profile)})
    if (!table.rows.empty()) blocks += page::table(table, {.sortable = true});
  const Table work = work_table(profile);
  if (work.rows.empty())
    blocks += page::notice(
        "No kernel has work that was counted. The nearest roof is that of the "
        "level of memory it keeps busiest.");
  else
    blocks += page::table(work, look);
  if (more) blocks += page::paragraph("Most time first; " + rest_of(profile) + ".", "small");
  return page::section(prefix + "results", "The kernels",
                       "Most time first; the numbers are those in the charts. A click on a name "
                       "shows all of it, one on a heading sorts. AI is the arithmetic intensity: "
                       "operations per byte moved at that level.",
                       blocks);
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

std::vector<std::string> defects_of(const Profile& profile) {
  const Pairs pairs = by_text(profile, [](const KernelProfile& kernel) {
    std::vector<std::string> defects;
    for (const auto* points : {&kernel.placed.points, &kernel.instructions.points})
      for (const RooflinePoint& point : *points)
        defects.insert(defects.end(), point.defects.begin(), point.defects.end());
    return defects;
  });
  std::vector<std::string> lines;
  if (const std::string above = above_roofs(profile); !above.empty()) lines.push_back(above);
  for (const auto& [defect, kernels] : pairs) lines.push_back(kernels + ": " + defect);
  return lines;
}

/// The reason why there are no instruction rooflines.
Html no_instructions(const Profile& profile) {
  if (!profile.ceilings) return {};
  std::set<std::string> reasons;
  for (const KernelProfile& kernel : profile.kernels)
    for (const Missing& missing : kernel.instructions.missing) reasons.insert(missing.reason);
  return page::no_instructions({profile.kind}, reasons);
}

Html roofline_section(const Profile& profile, const std::string& prefix) {
  const std::string title = "The hierarchical roofline";
  const std::vector<RooflineChart> charts = profile_rooflines(profile);
  const bool counted = !profile_instruction_rooflines(profile).empty();
  std::vector<const RooflineChart*> all;
  for (const RooflineChart& chart : charts) all.push_back(&chart);
  Html blocks = charts.empty()
                    ? page::notice(no_chart(profile))
                    : page::roofline_switches(
                          all, std::ranges::max_element(charts, {}, work_in)->model.name) +
                          pictures(charts, prefix, charts.size() > 1);
  if (!counted) blocks += no_instructions(profile);
  if (charts.empty()) return page::section(prefix + "roofline", title, "", blocks);
  if (const std::vector<std::string> defects = defects_of(profile); !defects.empty())
    blocks += page::folded(fmt::format("Defects of the measurement: {}", defects.size()),
                           page::list(defects), "notice", defects.size() <= 4);
  return page::section(prefix + "roofline", title,
                       "Each kernel stands once per level of memory: the same speed, over the "
                       "bytes moved at that level; a line joins them. Solid roofs were measured or "
                       "published, dashed ones follow from the data sheet. Numbers are those of "
                       "the table, as far as they find room. Pointing at a marker tells all of it.",
                       blocks);
}

Html instructions_section(const Profile& profile, const std::string& prefix) {
  const std::vector<RooflineChart> charts = profile_instruction_rooflines(profile);
  if (charts.empty()) return {};
  const Html blocks =
      pictures(charts, prefix, false) +
      page::table(instructions_table(profile), {.sortable = true, .opens = "kernel"});
  return page::instructions_section(prefix + "instructions", "kernel", blocks);
}

Html roofs_section(const Profile& profile, const std::string& prefix) {
  if (!profile.ceilings) return {};
  const Ceilings& ceilings = *profile.ceilings;
  Html blocks =
      page::table(without_empty_columns(roofs_table(ceilings, true)), {.hidden_caption = true});
  Pairs missing;
  for (const Missing& one : ceilings.missing) missing.emplace_back(one.reason, one.name);
  if (!missing.empty()) blocks += page::reasons(missing);
  return page::section(
      prefix + "roofs", "The roofs",
      fmt::format("Of {}{}. What a kernel can reach at most.", whose_roofs(profile),
                  ceilings.driver.empty() ? "" : ", driver " + ceilings.driver),
      blocks);
}

/// Missing values of kernels or other rows, and remarks on their numbers.
Html missing_blocks(const Profile& profile, const std::string& word) {
  const Pairs missing = missing_by_text(profile, word), notes = notes_by_text(profile, word);
  Html blocks;
  if (!missing.empty()) blocks += page::reasons(missing);
  if (!missing.empty() && !notes.empty()) blocks += page::heading(3, "Notes");
  if (!notes.empty()) blocks += page::reasons(notes);
  return blocks;
}

/// What to look at next, that for the hottest kernel first, and each advice once.
Html advice_section(const Profile& profile, const std::string& prefix) {
  const Pairs advice = by_text(profile, [&profile](const KernelProfile& kernel) {
    const Advice one = advice_on(profile, kernel);
    return one.cause.binding == Binding::unknown
               ? std::vector<std::string>()
               : std::vector{fmt::format("{}: {}", title_of(one.cause), one.next)};
  });
  return advice.empty()
             ? Html()
             : page::section(prefix + "advice", "Look at next", "", page::reasons(advice));
}

Html missing_section(const Profile& profile, const std::string& prefix) {
  const Html blocks = missing_blocks(profile, "kernel");
  if (blocks.empty()) return {};
  const bool missing = std::ranges::any_of(
      profile.kernels, [](const KernelProfile& kernel) { return !kernel.missing.empty(); });
  return page::section(prefix + "missing", missing ? "What is missing" : "Notes", "", blocks);
}

/// The section by NVTX range: a table, and charts with the rows as points.
Html ranges_section(const Profile& profile, const std::string& prefix) {
  if (!none_by(profile, By::range).empty()) return {};
  const RowsBy rows = rows_by(profile, By::range);
  const Table table = ranges_table(rows);
  const std::string id = prefix + table.name;
  Html blocks;
  if (rows.profile.kernels.size() > most_shown && profile.kernels.size() <= most_shown)
    blocks += page::on_or_off("all", "All rows", false);
  blocks += page::table(table, {.sortable = true, .opens = table.columns[1].name});
  blocks +=
      pictures(profile_rooflines(rows.profile), id + "-", profile_rooflines(profile).size() > 1);
  if (const Html missing = missing_blocks(rows.profile, "row"); !missing.empty())
    blocks += page::folded("What is missing, and what to know of the numbers", missing);
  return page::section(
      id, "By NVTX range",
      "A range counts with the ranges in it; \"own\" is what was launched directly "
      "in it. Calls of the same name at the same place are one.",
      blocks);
}

/// `prefix` makes the ids of a profile differ from those of others on the page.
Html sections_of(const Profile& profile, const std::string& name, const std::string& prefix) {
  Html sections;
  if (profile.kernels.empty())
    sections += page::notice("No kernel is in this profile.");
  else
    sections += roofline_section(profile, prefix) + instructions_section(profile, prefix) +
                results_section(profile, prefix) + ranges_section(profile, prefix) +
                advice_section(profile, prefix) + missing_section(profile, prefix);
  return sections + roofs_section(profile, prefix) +
         page::section(prefix + "record", "The record", "",
                       page::facts({{"program", profile.program},
                                    {"device", profile.device},
                                    {"recorded", profile.created},
                                    {"counted by", profile.source},
                                    {"profile", name}}));
}

/// Returns "vcopy on AMD MI200"; for several profiles, their devices.
std::string title_of(const std::vector<KeptProfile>& kept) {
  if (kept.size() == 1 && !kept.front().profile.device.empty())
    return kept.front().profile.program + " on " + kept.front().profile.device;
  if (kept.size() == 1) return kept.front().profile.program;
  std::set<std::string> devices;
  for (const KeptProfile& one : kept) devices.insert(one.profile.device);
  return fmt::format("{} profiles on {}", kept.size(), fmt::join(devices, ", "));
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
  page::Page page{title_of(kept), "Roofline of kernels", {}, ""};
  std::vector<std::string> records;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const Profile& profile = kept[i].profile;
    page.parts.push_back(
        {names[i],
         device_text(profile),
         masthead(profile),
         {},
         sections_of(profile, names[i], i == 0 ? "" : fmt::format("p{}-", i + 1))});
    records.push_back(names[i] + "/profile.json");
  }
  page.footer =
      fmt::format("Drawn by roofline {} from {}.", ROOFLINE_VERSION, fmt::join(records, ", "));
  return page_html(page);
}

}  // namespace roofline
