// The sections above the charts, and those below with the evidence for the numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>

#include "harness/report/sections.h"
#include "harness/view/summary.h"
#include "roofline/base/units.h"
#include "roofline/view/roofs_table.h"

namespace gpp {
namespace {

namespace page = roofline::page;

/// Returns the kernel's description of the input: "file.gpp: 512 bands, ...".
std::string input_text(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  const std::string told =
      kernel.describe_input == nullptr ? "" : kernel.describe_input(study.input);
  const std::string name = input_name(study.input);
  return name + (told.empty() || name.empty() ? "" : ": ") + told;
}

std::string recorded(const StudyRecord& study) {
  return fmt::format("{}. Recorded {}.", input_text(study), study.created.substr(0, 10));
}

bool different_inputs(const std::vector<NamedStudy>& studies) {
  std::set<std::string> inputs;
  for (const NamedStudy& named : studies) inputs.insert(named.study.input.sha256);
  return inputs.size() > 1;
}

Html lead(const std::vector<NamedStudy>& studies) {
  if (studies.size() == 1) return page::paragraph(recorded(studies.front().study), "lead");
  std::vector<std::string> items;
  for (const NamedStudy& named : studies)
    items.push_back(named.name + ": " + recorded(named.study));
  return page::list(items, "lead");
}

/// What the study found: each variant of one's own beside the step it was made from, or else the
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
  for (const ShownRow& row : shown.timed()) {
    const ShownRow* before = row.result->sources.empty() ? nullptr : shown.before(row);
    if (!row.result->sources.empty()) add(row, before == nullptr ? nullptr : before->result);
  }
  if (const ShownRow* fastest = fastest_of(shown); lines.empty() && fastest != nullptr)
    add(*fastest, first_step_of(fastest->study(), *fastest->result));
  return lines;
}

Html failures(const ShownResults& shown) {
  std::vector<std::string> lines;
  for (const ShownRow& row : shown.rows())
    if (row.result->status == Status::failed)
      lines.push_back(fmt::format("{} ({}): {}", full_name(*row.result), row.series_label(),
                                  row.result->reason));
  if (lines.empty()) return {};
  return page::notice(fmt::format("{} of {} failed and {} on no chart:", lines.size(),
                                  shown.rows().size(), lines.size() == 1 ? "is" : "are"),
                      lines, "failures");
}

}  // namespace

std::string heading(const ShownResults& shown) {
  std::vector<std::string> names;
  for (const ShownMachine& machine : shown.machines()) names.push_back(machine.label);
  return names.empty() ? "Nothing ran" : fmt::format("{}", fmt::join(names, ", "));
}

Html masthead(const std::vector<NamedStudy>& studies, const ShownResults& shown) {
  Html blocks = headlines(shown) + lead(studies);
  if (different_inputs(studies))
    blocks +=
        page::notice(fmt::format("These studies have different inputs: compare {}/s and speedups, "
                                 "not times.",
                                 kernel_of(studies.front().study).work));
  blocks += failures(shown);
  for (const NamedStudy& named : studies)
    if (const std::string text = doubts(named.study, false); !text.empty())
      blocks += page::notice((studies.size() > 1 ? named.name + ": " : "") + text);
  return blocks;
}

Html partial_notices(const std::vector<NamedStudy>& studies) {
  Html blocks;
  for (const NamedStudy& named : studies)
    if (!named.study.complete)
      blocks += page::notice("Partial: " + named.name +
                             ". This study was interrupted or killed, or is still under way. It "
                             "holds what was measured until then.");
  return blocks;
}

Html unavailable_section(const std::vector<NamedStudy>& studies) {
  page::Pairs missing;
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results)
      if (result.status == Status::unavailable)
        missing.emplace_back(fmt::format("{}{}: {}", studies.size() > 1 ? named.name + ", " : "",
                                         result.model, result.reason),
                             full_name(result));
  if (missing.empty()) return {};
  return page::section("unavailable", "Not run here", "", page::reasons(missing));
}

Html ceilings_section(const ShownResults& shown) {
  Html blocks;
  for (const ShownMachine& machine : shown.machines()) {
    if (machine.ceilings == nullptr || machine.ceilings->list.empty()) continue;
    blocks += page::heading(3, machine.label) +
              page::table(without_empty_columns(roofs_table(*machine.ceilings, false)),
                          {.hidden_caption = true});
  }
  if (blocks.empty()) return {};
  return page::section("ceilings", "The roofs",
                       "What each machine can do at most: measured by small kernels of our own, "
                       "and by its data sheet at the clock seen meanwhile.",
                       blocks);
}

Html record_section(const std::vector<NamedStudy>& studies) {
  Html blocks;
  for (const NamedStudy& named : studies)
    blocks += page::folded(studies.size() > 1 ? named.name : "Machine, compilers, input, source",
                           page::facts(facts_of(named.study)));
  return page::section("record", "The record", "", blocks);
}

}  // namespace gpp
