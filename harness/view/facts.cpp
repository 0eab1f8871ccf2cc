// Facts of a study, and doubts about its times.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "harness/view/summary.h"
#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

int most_threads(const StudyRecord& study) {
  int most = 0;
  for (const Result& result : study.results) most = std::max(most, result.threads);
  return most;
}

/// What others took of the device during disturbed results.
std::string disturbance(const StudyRecord& study, const std::string& kind) {
  double taken = 0;
  int variants = 0;
  for (const Result& result : study.results) {
    if (!result.timed() || result.kind != kind || !result.trusted().disturbed) continue;
    taken += result.taken().value_or(0);
    ++variants;
  }
  if (variants == 0) return {};
  return fmt::format(
      "Others took {:.0f}% of the {}, as far as is known, in disturbed runs: run again on an idle "
      "machine.",
      100 * taken / variants, kind == "gpu" ? "GPU" : "processor");
}

std::string oversubscription(const StudyRecord& study) {
  const int cores = study.machine.cores;
  if (cores < 1 || most_threads(study) <= cores) return {};
  return fmt::format(
      "{}: threads waited for each other, and the times say little; set OMP_NUM_THREADS={}.",
      describe_threads(study), cores);
}

/// Names environment settings that may load other code into the program or affect its clocks.
std::string other_code(const Machine& machine) {
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT"})
    if (machine.environment.contains(name))
      return fmt::format(
          "{} was set: other code took part, perhaps in the clock; without it the times can be "
          "trusted.",
          name);
  return {};
}

std::string joined(const std::map<std::string, std::string>& values, const char* between) {
  constexpr std::size_t longest = 400;
  std::vector<std::string> parts;
  for (const auto& [name, value] : values)
    parts.push_back(name + between + roofline::shortened(value, longest));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string gpus_of(const Machine& machine) {
  std::vector<std::string> gpus;
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

std::string describe_threads(const StudyRecord& study) {
  const int threads = most_threads(study), cores = study.machine.cores;
  const std::string text = roofline::describe_cores(cores);
  return threads == 0 || threads == cores ? text : fmt::format("{} threads on {}", threads, text);
}

Facts facts_of(const StudyRecord& study) {
  const Machine& machine = study.machine;
  const Kernel& kernel = kernel_of(study);
  const std::string told =
      kernel.describe_input == nullptr ? "" : kernel.describe_input(study.input);
  return {
      {"recorded", study.created},
      {"input", told.empty() ? study.input.path : study.input.path + ": " + told},
      {"SHA-256", study.input.sha256},
      {"machine", fmt::format("{}: {} ({}), {}", machine.host, machine.cpu, describe_threads(study),
                              roofline::describe_bytes(machine.memory_bytes))},
      {"GPUs", gpus_of(machine)},
      {"driver", machine.driver},
      {"system", machine.os},
      {"processors", machine.affinity},
      {"clock set by", machine.governor},
      {"load average",
       machine.load_average ? fmt::format("{:.2f} before the study", *machine.load_average) : ""},
      {"set", joined(machine.environment, "=")},
      {"compilers", joined(study.build.compilers, ": ")},
      {"flags", joined(study.build.flags, ": ")},
      {"sources", study.git.revision + (study.git.dirty ? ", with changes not committed" : "")},
      {"counters", counters_of(study)},
      {"reference", reference_of(study, kernel)}};
}

std::string doubts(const StudyRecord& study, bool colours) {
  std::string text;
  for (const std::string& sentence : {disturbance(study, "host"), disturbance(study, "gpu"),
                                      oversubscription(study), other_code(study.machine)})
    if (!sentence.empty())
      text += roofline::coloured(roofline::wrapped(sentence, page_width, 0),
                                 roofline::Colour::yellow, colours) +
              "\n";
  return text;
}

}  // namespace gpp
