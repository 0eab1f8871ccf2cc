// What stands above all charts, and below them everything that makes the numbers believable.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "harness/report/sections.h"
#include "harness/view/series.h"
#include "roofline/view/style.h"

namespace gpp {
namespace {

namespace page = roofline::page;

/// "file.gpp: 512 bands, ...", as the kernel describes it.
std::string input_text(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  const std::string told =
      kernel.describe_input == nullptr ? "" : kernel.describe_input(study.input);
  return study.input.path + (told.empty() || study.input.path.empty() ? "" : ": ") + told;
}

std::string recorded(const StudyRecord& study) {
  return fmt::format("{}. Recorded {}.", input_text(study), study.created.substr(0, 10));
}

bool different_inputs(const std::vector<NamedStudy>& studies) {
  std::set<std::string> inputs;
  for (const NamedStudy& named : studies) inputs.insert(named.study.input.sha256);
  return inputs.size() > 1;
}

PageJson lead(const std::vector<NamedStudy>& studies) {
  if (studies.size() == 1) return page::text(recorded(studies.front().study), "lead");
  std::vector<std::string> items;
  for (const NamedStudy& named : studies)
    items.push_back(named.name + ": " + recorded(named.study));
  return page::group({{{"kind", "list"}, {"items", items}}}, "lead");
}

PageJson failures(const ShownResults& shown) {
  std::vector<std::string> lines;
  for (const ShownRow& row : shown.rows())
    if (row.result->status == Status::failed)
      lines.push_back(fmt::format("{} ({}): {}", full_name(*row.result), row.series_label(),
                                  row.result->reason));
  if (lines.empty()) return nullptr;
  PageJson block = page::notice(fmt::format("{} of {} failed and {} on no chart:", lines.size(),
                                            shown.rows().size(), lines.size() == 1 ? "is" : "are"),
                                lines, "failures");
  block["class"] = "failures";
  block["role"] = "alert";
  return block;
}

/// The fastest variant of each machine and model, in large.
PageJson figures(const ShownResults& shown) {
  PageJson items = PageJson::array();
  for (const Headline& one : headlines(shown))
    items.push_back({{"what", one.label},
                     {"large", one.time},
                     {"small", {one.what, fmt::format("{}", fmt::join(one.facts, " · "))}},
                     {"colour", roofline::series_colour(items.size())},
                     {"tags", {{"series", one.series}}}});
  return {{"kind", "figures"}, {"id", "figures"}, {"items", items}};
}

}  // namespace

std::string heading(const ShownResults& shown) {
  std::vector<std::string> names;
  for (const ShownMachine& machine : shown.machines()) names.push_back(machine.label);
  return names.empty() ? "Nothing ran" : fmt::format("{}", fmt::join(names, ", "));
}

PageJson masthead(const PageParts& parts) {
  PageJson blocks = PageJson::array({lead(parts.studies)});
  if (different_inputs(parts.studies))
    blocks.push_back(
        page::notice(fmt::format("These studies have different inputs: compare {}/s and speedups, "
                                 "not times.",
                                 kernel_of(parts.studies.front().study).work)));
  page::add(blocks, failures(parts.shown));
  if (const std::string text = disturbed_sentence(parts.shown); !text.empty())
    blocks.push_back(page::notice(text));
  blocks.push_back(figures(parts.shown));
  return blocks;
}

PageJson partial_notices(const std::vector<NamedStudy>& studies) {
  PageJson blocks = PageJson::array();
  for (const NamedStudy& named : studies)
    if (!named.study.complete)
      blocks.push_back(page::notice("Partial: " + named.name +
                                    ". This study was interrupted or killed, or is still under "
                                    "way. It holds what was measured until then."));
  return blocks;
}

namespace {

/// The texts of a table's first two columns.
page::Pairs pairs_of(const ViewTable& table) {
  page::Pairs pairs;
  for (const roofline::TableRow& row : table.rows)
    pairs.emplace_back(row.cells[0].text, row.cells[1].text);
  return pairs;
}

}  // namespace

PageJson unavailable_section(const std::vector<NamedStudy>& studies) {
  const ViewTable table = unavailable_table(studies);
  if (table.rows.empty()) return nullptr;
  return page::section("unavailable", table.caption, "", {page::reasons(pairs_of(table))});
}

PageJson ceilings_section(const ShownResults& shown) {
  PageJson blocks = PageJson::array();
  for (const ShownMachine& machine : shown.machines()) {
    if (machine.ceilings == nullptr || machine.ceilings->list.empty()) continue;
    blocks.push_back(page::heading(3, machine.label));
    blocks.push_back(page::table(without_empty_columns(roofs_table(*machine.ceilings)),
                                 {{"id", ""}, {"hidden_caption", true}}));
  }
  if (blocks.empty()) return nullptr;
  return page::section("ceilings", "The roofs",
                       "What each machine can do at most: measured by small kernels of our own, "
                       "and by its data sheet at the clock seen meanwhile.",
                       blocks);
}

PageJson metrics_section(const ShownResults& shown) {
  const ViewTable table = metrics_table(shown);
  if (table.rows.empty()) return nullptr;
  return page::section(
      "metrics", "What the metrics mean", "",
      {page::folded(fmt::format("{} metrics and their formulas", table.rows.size()),
                    {page::table(table, {{"class", "glossary"}, {"hidden_caption", true}})})});
}

PageJson record_section(const std::vector<NamedStudy>& studies) {
  PageJson blocks = PageJson::array();
  for (const NamedStudy& named : studies) {
    if (studies.size() > 1) blocks.push_back(page::heading(3, named.name));
    blocks.push_back(page::facts(pairs_of(record_table(named))));
  }
  return page::section("record", "The record", "", blocks);
}

}  // namespace gpp
