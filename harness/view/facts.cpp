// Facts of a study, and what is wrong or doubtful in it.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "harness/record/derive.h"
#include "harness/view/summary.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

using Names = std::vector<std::string>;

std::string joined(const std::map<std::string, std::string>& values, const char* between) {
  constexpr std::size_t longest = 400;
  Names parts;
  for (const auto& [name, value] : values)
    parts.push_back(name + between + roofline::shortened(value, longest));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string gpus_of(const Machine& machine) {
  Names gpus;
  for (const DeviceDescription& gpu : machine.gpus)
    gpus.push_back(fmt::format("{} ({}, {} multiprocessors, {})", gpu.name, gpu.architecture,
                               gpu.units, roofline::describe_bytes(gpu.memory_bytes)));
  return fmt::format("{}", fmt::join(gpus, "; "));
}

std::string counters_of(const StudyRecord& study) {
  std::set<std::string> sources;
  for (const Result& result : study.results)
    if (result.counted.source != roofline::CountedBy::nobody)
      sources.emplace(roofline::source_name(result.counted.source));
  return fmt::format("{}", fmt::join(sources, ", "));
}

/// How the reference was obtained; "" if answers were checked without one.
std::string reference_of(const StudyRecord& study, const Kernel& kernel) {
  const ReferenceRecord& reference = study.reference;
  if (reference.values.empty()) return {};
  std::string text = fmt::format("computed in {}{}", roofline::describe_seconds(reference.seconds),
                                 reference.kept ? ", and kept, by an earlier run" : "");
  if (!reference.not_kept.empty()) text += ", not kept: " + roofline::visible(reference.not_kept);
  if (kernel.describe_reference != nullptr) text += kernel.describe_reference(reference);
  return text;
}

}  // namespace

std::string headline_of(const StudyRecord& study) {
  const Kernel& kernel = kernel_of(study);
  std::set<std::string> devices;
  for (const Result& result : study.results)
    if (!result.device.empty()) devices.insert(short_device(result.device));
  std::string text = fmt::format("{} study of {}", kernel.title, input_name(study.input));
  if (kernel.describe_input != nullptr) text += ", " + kernel.describe_input(study.input);
  return devices.empty() ? text : text + fmt::format(", on {}", fmt::join(devices, " and "));
}

std::vector<std::pair<std::string, std::string>> facts_of(const StudyRecord& study) {
  const Machine& machine = study.machine;
  const Kernel& kernel = kernel_of(study);
  const std::string told =
      kernel.describe_input == nullptr ? "" : kernel.describe_input(study.input);
  return {{"recorded", study.created},
          {"input", told.empty() ? study.input.path : study.input.path + ": " + told},
          {"SHA-256", study.input.sha256},
          {"machine", fmt::format("{}: {} ({}), {}", machine.host, machine.cpu,
                                  roofline::describe_cores(machine.cores),
                                  roofline::describe_bytes(machine.memory_bytes))},
          {"GPUs", gpus_of(machine)},
          {"driver", machine.driver},
          {"system", machine.os},
          {"processors", machine.affinity},
          {"clock set by", machine.governor},
          {"set", joined(machine.environment, "=")},
          {"compilers", joined(study.build.compilers, ": ")},
          {"flags", joined(study.build.flags, ": ")},
          {"sources", study.git.revision + (study.git.dirty ? ", with changes not committed" : "")},
          {"counters", counters_of(study)},
          {"reference", reference_of(study, kernel)}};
}

std::vector<std::string> doubts_of(const StudyRecord& study) {
  Names told;
  for (const char* kind : {"host", "gpu"}) {
    std::vector<double> taken;
    for (const Result& result : study.results)
      if (result.timed() && result.kind == kind && result.trusted().disturbed)
        taken.push_back(result.taken().value_or(0));
    if (!taken.empty())
      told.push_back(fmt::format(
          "Others took {:.0f}% of the {}, as far as is known, in disturbed runs: run again on an "
          "idle machine.",
          100 * std::reduce(taken.begin(), taken.end()) / static_cast<double>(taken.size()),
          std::string_view(kind) == "gpu" ? "GPU" : "processor"));
  }
  const int cores = study.machine.cores;
  if (cores > 0 && std::ranges::any_of(study.results, [cores](const Result& result) {
        return result.threads > cores;
      }))
    told.push_back(
        fmt::format("More threads than the {} waited for each other, and the times say "
                    "little; set OMP_NUM_THREADS={}.",
                    roofline::describe_cores(cores), cores));
  return told;
}

std::string doubts(const StudyRecord& study, bool colours) {
  std::string text;
  for (const std::string& one : doubts_of(study))
    text += roofline::coloured(roofline::wrapped(one, page_width, 0), roofline::Colour::yellow,
                               colours) +
            "\n";
  return text;
}

std::vector<std::string> faults_of(const StudyRecord& study, bool all) {
  constexpr std::size_t few = 2;
  Names told, failures;
  if (!study.complete)
    told.push_back(fmt::format(
        "PARTIAL: this study was interrupted or killed, or is still under way. {} of {} variants "
        "were timed by then.",
        std::ranges::count_if(study.results, &Result::timed), study.results.size()));
  for (const Result& result : study.results)
    if (result.status == Status::failed)
      failures.push_back(
          fmt::format("{} {} {}: {}", result.model, result.variant, result.step, result.reason));
  if (!failures.empty())
    told.push_back(fmt::format("FAILED: {} of {} variants", failures.size(), study.results.size()));
  const std::size_t named = all ? failures.size() : std::min(few, failures.size());
  told.insert(told.end(), failures.begin(), failures.begin() + static_cast<std::ptrdiff_t>(named));
  if (failures.size() > named) told.push_back(fmt::format("and {} more", failures.size() - named));
  if (!study.reference.disagreement.empty())
    told.push_back(fmt::format(
        "THE INPUT IS IN DOUBT: {}. Some of its numbers are damaged, or another program computed "
        "what it carries. Copy or generate it again. Variants are checked by a reference computed "
        "from this input.",
        study.reference.disagreement));
  return told;
}

std::string faults(const StudyRecord& study, bool colours, bool all) {
  const Names told = faults_of(study, all);
  if (told.empty()) return {};
  const std::string bar(page_width, '!');
  std::string text = bar + "\n";
  for (const std::string& one : told) text += roofline::paragraph("!! " + one, 3);
  return roofline::coloured(text + bar, roofline::Colour::red, colours) + "\n";
}

std::vector<std::string> remarks_on_results(const StudyRecord& study) {
  std::map<std::pair<std::string, std::string>, Names> names;
  for (const Result& result : study.results) {
    const auto add = [&](const char* what, const std::string& reason) {
      if (reason.empty()) return;
      Names& who = names[{what, reason}];
      const std::string name = model_label(result.model, result.kind) + " " + result.variant;
      if (who.empty() || who.back() != name) who.push_back(name);  // two points may share a defect
    };
    if (result.status == Status::unavailable) add("not run", result.reason);
    if (ceilings_of_kind(study, result.kind) != nullptr)
      add("no place on the roofline", why_no_place(study, result));
    if (result.kind == "gpu" && result.timed())
      add("not counted by hardware", result.counted.reason);
    if (result.energy) add("energy not known", result.energy->reason);
    for (const std::string& defect : result.counted.defects) add("doubtful", defect);
    for (const auto* points : {&result.rooflines, &result.instructions})
      for (const roofline::RooflinePoint& point : *points)
        for (const std::string& defect : point.defects) add("doubtful", defect);
  }
  Names told;
  for (const auto& [what, who] : names)
    told.push_back(fmt::format("{}: {}: {}", what.first, fmt::join(who, ", "),
                               roofline::visible(what.second)));
  return told;
}

std::string marks(const StudyRecord& study) {
  int throttled = 0;
  bool power = false, disturbed = false;
  for (const Result& result : study.results) {
    if (!result.limited_by("power")) throttled += result.clocks.throttled;
    power = power || (result.timed() && result.limited_by("power"));
    disturbed = disturbed || (result.timed() && result.trusted().disturbed);
  }
  std::string text = power ? "P: the card's power cap held the clock back.\n" : "";
  if (throttled > 0)
    text += fmt::format("*: the clock fell more than {:.0f}% below the highest seen in {} runs.\n",
                        100 * throttle_threshold, throttled);
  if (disturbed)
    text += fmt::format(
        "disturbed: others took more than {:.0f}% of the device in too many of the runs.\n",
        100 * disturbed_threshold);
  return text;
}

}  // namespace gpp
