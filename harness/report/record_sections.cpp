// The sections above the charts, and those below with the evidence for the numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>

#include "harness/record/derive.h"
#include "harness/report/sections.h"
#include "harness/view/load_text.h"
#include "harness/view/series.h"
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

/// "Others took more than 5% of the processor while these were timed, ..."; empty if that is not
/// so.
std::string disturbed_sentence(const ShownResults& shown) {
  std::vector<std::string> names;
  for (const ShownRow& row : shown.rows())
    if (row.result->timed() && row.result->trusted().disturbed)
      names.push_back(fmt::format("{} ({})", row.result->variant, row.series_label()));
  if (names.empty()) return {};
  return fmt::format(
      "Others took more than {:.0f}% of the device while these were timed, and their times are "
      "not to be trusted: {}.",
      100 * disturbed_threshold, fmt::join(names, ", "));
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

/// "1.78x over v8, disturbed"; empty without something to compare with.
std::string gain_text(const ShownRow& row, std::optional<double> factor, const std::string& over,
                      bool disturbed) {
  if (!factor) return {};
  return fmt::format(": {} over {}{}", roofline::times_text(*factor), over,
                     disturbed || row.result->trusted().disturbed ? ", disturbed" : "");
}

/// What the study found: each variant of one's own beside the step it was made from, or else the
/// fastest variant beside the first.
Html headlines(const ShownResults& shown) {
  const ShownRow* fastest = nullptr;
  Html lines;
  const auto add = [&](const ShownRow& row, const std::string& gain) {
    lines +=
        page::paragraph(fmt::format("{} ({}) takes {}{}", row.result->variant, row.series_label(),
                                    roofline::with_prefix(row.result->timing().median, "s"), gain),
                        "headline");
  };
  for (const ShownRow& row : shown.rows()) {
    if (!row.result->timed()) continue;
    if (fastest == nullptr || terms_per_second(row.study(), *row.result) >
                                  terms_per_second(fastest->study(), *fastest->result))
      fastest = &row;
    if (row.result->sources.empty()) continue;
    const ShownRow* before = shown.before(row);
    if (before == nullptr)
      add(row, "");
    else
      add(row, gain_text(row, before->result->timing().median / row.result->timing().median,
                         before->result->variant, before->result->trusted().disturbed));
  }
  if (lines.empty() && fastest != nullptr)
    add(*fastest, gain_text(*fastest, speedup(fastest->study(), *fastest->result),
                            baseline_of(fastest->study()), false));
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
  if (const std::string text = disturbed_sentence(shown); !text.empty())
    blocks += page::notice(text);
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

namespace {

/// The host's threads by model: "serial 1, omp 2".
std::string threads_text(const StudyRecord& study) {
  std::vector<std::string> known;
  for (const Result& result : study.results) {
    const std::string one = fmt::format("{} {}", result.model, result.threads);
    if (result.threads > 0 && std::find(known.begin(), known.end(), one) == known.end())
      known.push_back(one);
  }
  return fmt::format("{}", fmt::join(known, ", "));
}

std::string list_text(const std::map<std::string, std::string>& values) {
  std::vector<std::string> list;
  for (const auto& [name, value] : values) list.push_back(fmt::format("{}: {}", name, value));
  return fmt::format("{}", fmt::join(list, "; "));
}

std::string gpus_text(const Machine& machine) {
  std::vector<std::string> list;
  for (const DeviceDescription& gpu : machine.gpus)
    list.push_back(fmt::format("{} ({}, {} multiprocessors, {})", gpu.name, gpu.architecture,
                               gpu.units,
                               roofline::with_prefix(static_cast<double>(gpu.memory_bytes), "B")));
  return fmt::format("{}", fmt::join(list, "; "));
}

std::string counters_text(const StudyRecord& study) {
  std::set<std::string> sources;
  for (const Result& result : study.results)
    if (result.counted.source != roofline::CountedBy::nobody)
      sources.insert(std::string(roofline::source_name(result.counted.source)));
  return fmt::format("{}", fmt::join(sources, ", "));
}

/// Facts that support a study's numbers: machine, compilers, input, source.
page::Pairs facts_of(const StudyRecord& study) {
  const Machine& machine = study.machine;
  page::Pairs facts;
  const auto line = [&facts](const char* what, const std::string& value) {
    facts.emplace_back(what, value);
  };
  line("recorded", study.created);
  line("machine",
       fmt::format("{}: {}, {} cores, {}", machine.host, machine.cpu, machine.cores,
                   roofline::with_prefix(static_cast<double>(machine.memory_bytes), "B")));
  line("GPUs", gpus_text(machine));
  line("driver", machine.driver);
  line("system", machine.os);
  line("threads", threads_text(study));
  if (!machine.affinity.empty())
    line("processors",
         fmt::format("{} of {} online", machine.affinity,
                     machine.online_cores > 0 ? std::to_string(machine.online_cores) : "unknown"));
  line("clock set by", machine.governor);
  if (machine.load_average)
    line("load average", fmt::format("{:.2g} before the study", *machine.load_average));
  line("load of others", describe_load(study));
  line("set", describe_environment(machine));
  line("compilers", list_text(study.build.compilers));
  line("flags", list_text(study.build.flags));
  line("input", input_text(study));
  line("SHA-256", study.input.sha256);
  line("source", study.git.revision + (study.git.dirty ? ", with changes not committed" : ""));
  line("counters", counters_text(study));
  return facts;
}

}  // namespace

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
