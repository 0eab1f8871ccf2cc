// Facts of a study, and doubts about its times.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace gpp {
namespace {

std::string counted(long long count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

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
      "Others took {:.0f}% of the {}, as far as is known, during the timed runs of {}: do not "
      "trust "
      "these times; run again on an idle machine (gpp doctor tells who is there).",
      100 * taken / variants, kind == "gpu" ? "GPU" : "processor", counted(variants, "variant"));
}

std::string oversubscription(const StudyRecord& study) {
  const int threads = most_threads(study);
  if (study.machine.cores < 1 || threads <= study.machine.cores) return {};
  return fmt::format(
      "{} shared {}: they waited for each other, and the times say little; set OMP_NUM_THREADS={}.",
      counted(threads, "thread"), roofline::describe_cores(study.machine.cores),
      study.machine.cores);
}

/// Names environment settings that may load other code into the program or affect its clocks.
std::string other_code(const Machine& machine) {
  std::vector<std::string> set;
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT"})
    if (machine.environment.contains(name)) set.emplace_back(name);
  if (set.empty()) return {};
  return fmt::format(
      "{} was set: other code took part, perhaps in the clock; without it the times can be "
      "trusted.",
      fmt::join(set, " and "));
}

/// "at most 2% of the processor during a timed run"; "" if that is not known.
std::string describe_load(const StudyRecord& study) {
  double most = -1;
  for (const Result& result : study.results)
    for (const LoadShare& share : result.load)
      if (result.timed() && result.kind == "host" && std::isfinite(share.others))
        most = std::max(most, share.taken());
  return most < 0 ? ""
                  : fmt::format("at most {:.0f}% of the processor during a timed run", 100 * most);
}

/// Describes how the reference was obtained.
std::string describe(const ReferenceRecord& reference) {
  const std::string seconds = roofline::describe_seconds(reference.seconds);
  if (reference.kept) return fmt::format("kept by an earlier run, computed there in {}", seconds);
  if (reference.not_kept.empty()) return "computed in " + seconds;
  return fmt::format("computed in {}, not kept: {}", seconds,
                     roofline::visible(reference.not_kept));
}

/// A text with what the kernel knows to say of it.
template <class What>
std::string described(const std::string& text, std::string (*describe)(const What&),
                      const What& what) {
  const std::string told = describe == nullptr ? "" : describe(what);
  return text + (text.empty() || told.empty() ? "" : ": ") + told;
}

std::string joined(const std::map<std::string, std::string>& values, const char* between) {
  constexpr std::size_t longest = 400;
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}{}{}", text.empty() ? "" : "; ", name, between,
                        roofline::shortened(value, longest));
  return text;
}

std::string counters_of(const StudyRecord& study) {
  std::set<std::string> sources;
  for (const Result& result : study.results)
    if (result.counted.source != roofline::CountedBy::nobody)
      sources.emplace(roofline::source_name(result.counted.source));
  return fmt::format("{}", fmt::join(sources, ", "));
}

}  // namespace

std::string describe_threads(const StudyRecord& study) {
  const int threads = most_threads(study);
  const int cores = study.machine.cores;
  if (threads == 0 || threads == cores) return roofline::describe_cores(cores);
  return fmt::format("{} {} {}", counted(threads, "thread"), threads < cores ? "of" : "on",
                     roofline::describe_cores(cores));
}

Facts facts_of(const StudyRecord& study) {
  const Machine& machine = study.machine;
  const Kernel& kernel = kernel_of(study);
  const auto bytes = [](double size) { return roofline::with_prefix(size, "B"); };
  std::string gpus;
  for (const DeviceDescription& gpu : machine.gpus)
    gpus += fmt::format("{}{} ({}, {} multiprocessors, {})", gpus.empty() ? "" : "; ", gpu.name,
                        gpu.architecture, gpu.units, bytes(static_cast<double>(gpu.memory_bytes)));
  std::string processors = machine.affinity;
  if (!processors.empty() && machine.online_cores > 0)
    processors += fmt::format(" of {} online", machine.online_cores);
  const std::string input = described(study.input.path, kernel.describe_input, study.input);
  return {
      {"recorded", study.created},
      {"input", input},
      {"SHA-256", study.input.sha256},
      {"machine", fmt::format("{}: {} ({}), {}", machine.host, machine.cpu, describe_threads(study),
                              bytes(static_cast<double>(machine.memory_bytes)))},
      {"GPUs", gpus},
      {"driver", machine.driver},
      {"system", machine.os},
      {"processors", processors},
      {"clock set by", machine.governor},
      {"load average",
       machine.load_average ? fmt::format("{:.2f} before the study", *machine.load_average) : ""},
      {"load of others", describe_load(study)},
      {"set", joined(machine.environment, "=")},
      {"compilers", joined(study.build.compilers, ": ")},
      {"flags", joined(study.build.flags, ": ")},
      {"sources", study.git.revision + (study.git.dirty ? ", with changes not committed" : "")},
      {"counters", counters_of(study)},
      {"reference",
       study.reference.values.empty()
           ? ""  // answers were checked without one
           : describe(study.reference) +
                 described("", kernel.describe_reference, study.reference)}};
}

std::string doubts(const StudyRecord& study, bool colours) {
  std::string text;
  for (const std::string& sentence : {disturbance(study, "host"), disturbance(study, "gpu"),
                                      oversubscription(study), other_code(study.machine)})
    if (!sentence.empty())
      text += roofline::coloured(sentence, roofline::Colour::yellow, colours) + "\n";
  return text;
}

}  // namespace gpp
