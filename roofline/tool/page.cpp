#include "roofline/tool/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "roofline/base/replace_file.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"
#include "roofline/import/import.h"
#include "roofline/page/assemble.h"
#include "roofline/page/model.h"
#include "roofline/points.h"
#include "roofline/tool/by.h"
#include "roofline/tool/launch_tables.h"
#include "roofline/tool/page_tables.h"
#include "roofline/tool/show.h"
#include "roofline/view/roofs_table.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using page::Json;

std::string plural(std::int64_t count, const std::string& word) {
  return fmt::format("{} {}{}", with_commas(static_cast<std::uint64_t>(count)), word,
                     count == 1 ? "" : "s");
}

std::string counter_name(const std::string& source) {
  static const std::map<std::string, std::string> names = {
      {"cupti", "CUPTI"}, {"ncu", "Nsight Compute"}, {"rocprof", "rocprof"}};
  const auto found = names.find(source);
  return found == names.end() ? source : found->second;
}

/// The page's top: program, device, and remarks on the whole profile.
Json masthead(const Profile& profile) {
  const std::string program =
      profile.program.empty() ? "A program without a name" : visible(profile.program);
  Json blocks =
      Json::array({page::text({page::code(program), fmt::format(" Counted by {}. Recorded {}.",
                                                                counter_name(profile.source),
                                                                profile.created.substr(0, 10))},
                              "lead program")});
  if (const std::string energy = energy_told(profile); !energy.empty())
    blocks.push_back(page::text({energy}, "lead"));
  if (!profile.notes.empty()) {
    std::vector<std::string> notes;
    for (const std::string& note : profile.notes) notes.push_back(visible(note));
    blocks.push_back(page::group({{{"kind", "list"}, {"items", notes}}}, "lead notes"));
  }
  if (profile.ceilings && !foreign_roofs(profile).empty())
    blocks.push_back(
        page::notice(fmt::format("The roofs are those of {}{}.", visible(profile.ceilings->device),
                                 foreign_roofs(profile))));
  return blocks;
}

/// Names what tables and charts leave out unless all is requested.
std::string rest_text(const Profile& profile) {
  double seconds = 0;
  for (std::size_t i = most_shown; i < profile.kernels.size(); ++i)
    seconds += profile.kernels[i].seconds.value_or(0);
  return fmt::format(
      "Not shown: {} that took {} of the time together.",
      plural(static_cast<std::int64_t>(profile.kernels.size() - most_shown), "kernel"),
      percent_text(100 * seconds / profile.seconds()));
}

Json results_section(const Profile& profile, Json& switches) {
  Json blocks = Json::array();
  const bool more = profile.kernels.size() > most_shown;
  if (more) {
    switches["all"] = page::on_or_off(
        fmt::format("All {}", plural(static_cast<std::int64_t>(profile.kernels.size()), "kernel")),
        false);
    blocks.push_back(page::switch_place("all"));
  }
  const Json settings = {{"sortable", true}, {"opens", "kernel"}};
  blocks.push_back(page::table(kernels_table(profile), settings));
  for (const ViewTable& table : {launches_table(profile), stated_table(profile)})
    if (!table.rows.empty()) blocks.push_back(page::table(table, {{"sortable", true}}));
  const ViewTable work = work_table(profile);
  if (work.rows.empty())
    blocks.push_back(
        page::notice("No kernel has work that was counted. The nearest roof is that of the level "
                     "of memory it keeps busiest."));
  else
    blocks.push_back(page::table(work, settings));
  if (more)
    blocks.push_back(
        page::with_tags(page::text(rest_text(profile), "small", "rest"), {{"!all", "yes"}}));
  return page::section("results", "The kernels",
                       "Most time first; the numbers are those in the charts. A click on a name "
                       "shows all of it, one on a heading sorts. AI is the arithmetic intensity: "
                       "operations per byte moved at that level.",
                       blocks);
}

/// A chart with printable texts.
Chart picture(const std::vector<Chart>& charts, const std::string& model) {
  for (const Chart& chart : charts)
    if (chart.name == "roofline-" + model) return chart;
  return {};
}

/// Returns "all kernels", or their numbers.
std::string rows_text(const std::string& word, const std::vector<std::size_t>& numbers,
                      std::size_t all) {
  if (numbers.size() == all && all > 1) return "all " + word + "s";
  return fmt::format("{}{} {}", word, numbers.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
}

/// Texts about kernels, each once with the kernels it applies to.
page::Pairs by_text(const Profile& profile,
                    const std::function<std::vector<std::string>(const KernelProfile&)>& texts,
                    const std::string& word = "kernel") {
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
  page::Pairs pairs;
  for (const auto& [text, numbers] : all)
    pairs.emplace_back(visible(text), rows_text(word, numbers, profile.kernels.size()));
  return pairs;
}

std::vector<std::string> defects_of(const Profile& profile) {
  const page::Pairs pairs = by_text(profile, [](const KernelProfile& kernel) {
    std::vector<std::string> defects;
    for (const auto* points : {&kernel.placed.points, &kernel.instructions.points})
      for (const RooflinePoint& point : *points)
        defects.insert(defects.end(), point.defects.begin(), point.defects.end());
    return defects;
  });
  std::vector<std::string> lines = above_roofs(profile);
  for (const auto& [defect, kernels] : pairs) lines.push_back(kernels + ": " + defect);
  return lines;
}

/// The reason why there are no instruction rooflines.
Json no_instructions(const Profile& profile) {
  if (!profile.ceilings) return nullptr;
  std::set<std::string> reasons;
  for (const KernelProfile& kernel : profile.kernels)
    for (const Missing& missing : kernel.instructions.missing) reasons.insert(missing.reason);
  const bool possible = !table_of(profile.kind).instruction_models.empty();
  return page::text(
      "No instruction rooflines: " +
          (!possible ? "they are known for NVIDIA’s GPUs alone."
                     : fmt::format("{}. They need the counters of instructions, which roofline "
                                   "record counts, and their roofs.",
                                   reasons.empty()
                                       ? "nothing of the kind was counted"
                                       : visible(fmt::format("{}", fmt::join(reasons, "; "))))),
      "small", "no-instructions");
}

/// The precision with most of the time among those that are drawn.
std::string leading_model(const Profile& profile, const std::vector<RooflineChart>& charts) {
  std::map<std::string, double> seconds;
  for (const KernelProfile& kernel : profile.kernels)
    if (const RooflinePoint* point = kernel.placed.leading())
      seconds[point->precision] += kernel.seconds.value_or(0);
  std::string best = charts.front().model.name;
  for (const RooflineChart& chart : charts)
    if (seconds[chart.model.name] > seconds[best]) best = chart.model.name;
  return best;
}

void add_roofline_switches(const Profile& profile, const std::vector<RooflineChart>& charts,
                           Json& blocks, Json& switches) {
  const auto put = [&](const char* name, Json one, bool choice) {
    switches[name] = std::move(one);
    if (choice) blocks.push_back(page::switch_place(name));
  };
  std::vector<page::Choice> models, levels;
  bool theoretical = false;
  for (const RooflineChart& chart : charts) {
    models.push_back({chart.model.name, chart.model.title});
    for (const Roof& roof : chart.roofs) theoretical |= roof.theoretical.has_value();
    for (const std::string& level : chart.levels)
      if (std::ranges::none_of(levels, [&](const auto& one) { return one.key == level; }))
        levels.push_back({level, level_label(chart, level)});
  }
  put("precision", page::one_of("Operations", models, leading_model(profile, charts)),
      models.size() > 1);
  put("level", page::some_of("Levels", levels), levels.size() > 1);
  if (theoretical) put("theoretical", page::on_or_off("Theoretical roofs", true), true);
}

Json roofline_section(const Profile& profile, const std::vector<Chart>& pictures, Json& switches) {
  const std::string title = "The hierarchical roofline";
  const std::vector<RooflineChart> charts = profile_rooflines(profile);
  const bool counted = !profile_instruction_rooflines(profile).empty();
  Json blocks = Json::array();
  if (charts.empty()) {
    blocks.push_back(page::notice(no_chart(profile)));
    if (!counted) page::add(blocks, no_instructions(profile));
    return page::section("roofline", title, "", blocks);
  }
  add_roofline_switches(profile, charts, blocks, switches);
  for (const RooflineChart& chart : charts) {
    const std::string& name = chart.model.name;
    blocks.push_back(page::with_tags(page::chart(picture(pictures, name), "roofline-" + name),
                                     {{"precision", name}}));
  }
  if (!counted) page::add(blocks, no_instructions(profile));
  if (const std::vector<std::string> defects = defects_of(profile); !defects.empty())
    blocks.push_back(page::folded(fmt::format("Defects of the measurement: {}", defects.size()),
                                  {{{"kind", "list"}, {"items", defects}}}, "notice",
                                  defects.size() <= 4));
  return page::section("roofline", title,
                       "Each kernel stands once per level of memory: the same speed, over the "
                       "bytes moved at that level; a line joins them. Solid roofs were measured or "
                       "published, dashed ones follow from the data sheet. Numbers are those of "
                       "the table, as far as they find room. Pointing at a marker tells all of it.",
                       blocks);
}

Json instructions_section(const Profile& profile, const std::vector<Chart>& pictures) {
  const std::vector<RooflineChart> charts = profile_instruction_rooflines(profile);
  if (charts.empty()) return nullptr;
  Json blocks = Json::array();
  for (const RooflineChart& chart : charts) {
    blocks.push_back(page::heading(3, chart.model.title));
    blocks.push_back(
        page::chart(picture(pictures, chart.model.name), "roofline-" + chart.model.name));
  }
  blocks.push_back(
      page::table(instructions_table(profile), {{"sortable", true}, {"opens", "kernel"}}));
  return page::section(
      "instructions", "The instruction rooflines",
      "Warp instructions per second of each kernel, over its instructions per transaction of "
      "memory. A marker leaves out lanes that were switched off, the dash above it has them: "
      "between the two lies predication. Thin flat roofs are pipes narrower than the schedulers. A "
      "wall is the intensity of one pattern of access, whatever else a kernel does, and ends at "
      "its roof: loads and stores left of unit stride, or of no conflict, move more than they use.",
      blocks);
}

Json roofs_section(const Profile& profile) {
  if (!profile.ceilings) return nullptr;
  const Ceilings& ceilings = *profile.ceilings;
  std::vector<std::string> whence;
  if (!ceilings.from.empty()) whence.push_back(visible(ceilings.from));
  if (!ceilings.created.empty()) whence.push_back("measured " + ceilings.created.substr(0, 10));
  if (!ceilings.driver.empty()) whence.push_back("driver " + ceilings.driver);
  Json blocks = Json::array({page::table(without_empty_columns(roofs_table(ceilings, true)),
                                         {{"hidden_caption", true}})});
  page::Pairs missing;
  for (const Missing& one : ceilings.missing)
    missing.emplace_back(visible(one.reason), visible(one.name));
  if (!missing.empty()) blocks.push_back(page::reasons(missing));
  return page::section(
      "roofs", "The roofs",
      fmt::format("Of {}{}{}. What a kernel can reach at most.", visible(ceilings.device),
                  whence.empty() ? "" : ": ", fmt::join(whence, ", ")),
      blocks);
}

/// Missing values of kernels or other rows, and remarks on their numbers.
Json missing_blocks(const Profile& profile, const std::string& word) {
  const page::Pairs missing = by_text(
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
  const page::Pairs notes = by_text(
      profile, [](const KernelProfile& kernel) { return kernel.notes; }, word);
  Json blocks = Json::array();
  if (!missing.empty()) blocks.push_back(page::reasons(missing));
  if (!missing.empty() && !notes.empty()) blocks.push_back(page::heading(3, "Notes"));
  if (!notes.empty()) blocks.push_back(page::reasons(notes));
  return blocks;
}

Json missing_section(const Profile& profile) {
  const Json blocks = missing_blocks(profile, "kernel");
  if (blocks.empty()) return nullptr;
  const bool missing = std::ranges::any_of(
      profile.kernels, [](const KernelProfile& kernel) { return !kernel.missing.empty(); });
  return page::section("missing", missing ? "What is missing" : "Notes", "", blocks);
}

/// The section by NVTX range, stream or launch: a table, and charts with the rows as points.
Json by_section(const Profile& profile, By by, const std::string& title, const std::string& lead,
                Json& switches) {
  if (!none_by(profile, by).empty()) return nullptr;
  const RowsBy rows = rows_by(profile, by, most_shown);
  const ViewTable table = by_table(rows);
  Json blocks = Json::array();
  if (rows.profile.kernels.size() > most_shown && !switches.contains("all")) {
    switches["all"] = page::on_or_off("All rows", false);
    blocks.push_back(page::switch_place("all"));
  }
  const auto settings = [](const ViewTable& one, std::size_t opens) {
    return Json{{"sortable", true}, {"opens", one.columns[opens].name}};
  };
  blocks.push_back(page::table(table, settings(table, 1)));
  if (by == By::launch) {
    const ViewTable spread = spread_table(profile);
    blocks.push_back(page::table(spread, settings(spread, 0)));
    return page::section(table.name, title, lead, blocks);
  }
  std::set<std::string> switched;  // precisions in the switch
  for (const RooflineChart& chart : profile_rooflines(profile)) switched.insert(chart.model.name);
  const std::vector<Chart> pictures = profile_pictures(rows.profile);
  for (const RooflineChart& chart : profile_rooflines(rows.profile)) {
    const std::string& model = chart.model.name;
    Chart its = picture(pictures, model);
    its.name = fmt::format("{}-{}", table.name, its.name);
    blocks.push_back(page::with_tags(page::chart(its, its.name), switched.contains(model)
                                                                     ? Tags{{"precision", model}}
                                                                     : Tags{}));
  }
  if (const Json missing = missing_blocks(rows.profile, "row"); !missing.empty())
    blocks.push_back(page::folded("What is missing, and what to know of the numbers", missing));
  return page::section(table.name, title, lead, blocks);
}

Json profile_page(const KeptProfile& kept, const std::string& name) {
  const Profile& profile = kept.profile;
  const std::vector<Chart> pictures = profile_pictures(profile);
  Json sections = Json::array(), switches = Json::object(), notices = Json::array();
  if (profile.kernels.empty()) {
    notices.push_back(page::notice("No kernel is in this profile."));
  } else {
    sections.push_back(roofline_section(profile, pictures, switches));
    page::add(sections, instructions_section(profile, pictures));
    sections.push_back(results_section(profile, switches));
    page::add(sections,
              by_section(profile, By::range, "By NVTX range",
                         "A range counts with the ranges in it; \"own\" is what was launched "
                         "directly in it. Calls of the same name at the same place are one.",
                         switches));
    page::add(sections, by_section(profile, By::stream, "By stream",
                                   "All launches of each stream, by CUPTI's number.", switches));
    page::add(sections, by_section(profile, By::launch, "Single launches",
                                   "The slowest of those that are kept one by one, and how long "
                                   "the launches of each kernel took.",
                                   switches));
    page::add(sections, missing_section(profile));
  }
  page::add(sections, roofs_section(profile));
  sections.push_back(page::section("record", "The record", "",
                                   {page::facts({{"program", visible(profile.program)},
                                                 {"device", visible(profile.device)},
                                                 {"recorded", profile.created},
                                                 {"counted by", counter_name(profile.source)},
                                                 {"profile", name}})}));
  return {{"name", name},
          {"heading", profile.device.empty() ? "A device without a name" : visible(profile.device)},
          {"masthead", masthead(profile)},
          {"notices", notices},
          {"scope", Json::array()},
          {"switches", switches},
          {"sections", sections}};
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

/// The name of each profile, with a number added to equal names.
std::vector<std::string> names_of(const std::vector<KeptProfile>& kept) {
  std::vector<std::string> names;
  std::map<std::string, int> met;
  for (const KeptProfile& one : kept) {
    const std::string name = kept_name(one);
    const int count = ++met[name];
    names.push_back(count == 1 ? name : fmt::format("{} ({})", name, count));
  }
  return names;
}

}  // namespace

nlohmann::ordered_json profile_page_model(const std::vector<KeptProfile>& kept) {
  const std::vector<std::string> names = names_of(kept);
  Json pages = Json::array();
  std::vector<std::string> records;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    pages.push_back(profile_page(kept[i], names[i]));
    records.push_back(names[i] + "/profile.json");
  }
  return {{"kicker", "Roofline of kernels"},
          {"footer", fmt::format("Drawn by roofline {} from {}.", ROOFLINE_VERSION,
                                 fmt::join(records, ", "))},
          {"pages", pages}};
}

void write_profile_page(const fs::path& file, const std::vector<KeptProfile>& kept) {
  PageParts parts = page_parts();
  parts.without_script =
      "Everything it shows is in the file profile.json beside it; <code>roofline show "
      "FOLDER</code> prints the tables.";
  write_whole(file, assemble_page(parts, visible(title_of(kept)), profile_page_model(kept)));
}

}  // namespace roofline
