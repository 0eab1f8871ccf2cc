#include "harness/view/load_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "roofline/base/terminal.h"
#include "roofline/base/text.h"
#include "roofline/base/units.h"

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

bool timed_on_host(const Result& result) { return result.timed() && result.kind == "host"; }

/// "its time is not to be trusted; run again on an idle machine."
std::string not_to_be_trusted(int variants, const std::string& device) {
  return fmt::format("{} not to be trusted; run again on an idle {}.",
                     variants == 1 ? "its time is" : "their times are", device);
}

/// "Other programs took 34%", or "The machine below this one, or a quota of CPU time, took 12%".
std::string takers(double others, double steal) {
  const std::string below = "the machine below this virtual one, or a quota of CPU time,";
  if (others < 0.005) return fmt::format("T{} took {:.0f}%", below.substr(1), 100 * steal);
  if (steal < 0.005) return fmt::format("Other programs took {:.0f}%", 100 * others);
  return fmt::format("Other programs took {:.0f}%, and {} took {:.0f}%", 100 * others, below,
                     100 * steal);
}

/// The share of the GPU that others took during disturbed results.
std::string disturbance_of_gpu(const StudyRecord& study) {
  double shares = 0;
  int runs = 0, variants = 0;
  for (const Result& result : study.results) {
    if (!result.timed() || result.kind != "gpu" || !result.trusted().disturbed) continue;
    ++variants;
    for (const double share : result.taken_in_runs()) {
      if (!(share > 0)) continue;
      shares += share;
      ++runs;
    }
  }
  if (runs == 0) return {};
  return fmt::format("Other programs took {:.0f}% of the GPU during the timed runs of {}: {}",
                     100 * shares / runs, counted(variants, "variant"),
                     not_to_be_trusted(variants, "GPU (gpp doctor tells who is there)"));
}

/// The share of the processor that others took during disturbed results.
std::string disturbance(const StudyRecord& study) {
  double others = 0, steal = 0;
  int runs = 0, variants = 0;
  bool known = false;
  for (const Result& result : study.results) {
    if (!timed_on_host(result) || !result.trusted().disturbed) continue;
    ++variants;
    for (const LoadShare& share : result.load) {
      if (!(share.taken() > 0)) continue;
      others += std::isfinite(share.others) ? share.others : 0.0;
      steal += std::isfinite(share.steal) ? share.steal : 0.0;
      ++runs;
      known = known || share.disturbed();
    }
  }
  if (variants == 0) return {};
  const std::string who =
      !known ? "It is not known what others took" : takers(others / runs, steal / runs);
  return fmt::format("{} of the processor during the timed runs of {}: {}", who,
                     counted(variants, "variant"), not_to_be_trusted(variants, "machine"));
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

}  // namespace

std::string describe_threads(const StudyRecord& study) {
  const int threads = most_threads(study);
  const int cores = study.machine.cores;
  if (threads == 0 || threads == cores) return roofline::describe_cores(cores);
  return fmt::format("{} {} {}", counted(threads, "thread"), threads < cores ? "of" : "on",
                     roofline::describe_cores(cores));
}

std::string describe_processors(const Machine& machine) {
  std::vector<std::string> parts;
  if (!machine.affinity.empty())
    parts.push_back(
        "processors " + machine.affinity +
        (machine.online_cores > 0 ? fmt::format(" of {} online", machine.online_cores) : ""));
  if (!machine.governor.empty()) parts.push_back("governor " + machine.governor);
  if (machine.load_average)
    parts.push_back(fmt::format("load average {:.2f} before the study", *machine.load_average));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string describe_environment(const Machine& machine) {
  constexpr std::size_t longest = 60;
  std::vector<std::string> set;
  for (const auto& [name, value] : machine.environment)
    set.push_back(fmt::format("{}={}", name, roofline::shortened(value, longest)));
  return fmt::format("{}", fmt::join(set, ", "));
}

std::string describe_load(const StudyRecord& study) {
  bool recorded = false, known = false;
  double most = 0;
  for (const Result& result : study.results) {
    if (!timed_on_host(result)) continue;
    recorded = recorded || !result.load.empty();
    for (const LoadShare& share : result.load) {
      known = known || std::isfinite(share.others);
      most = std::max(most, share.taken());
    }
  }
  if (!recorded) return {};
  if (!known) return "load of others not known: too short a time, or the kernel does not tell";
  return fmt::format("others took at most {:.0f}% of the processor during a timed run", 100 * most);
}

std::string doubts(const StudyRecord& study, bool colours) {
  std::string text;
  for (const std::string& sentence : {disturbance(study), disturbance_of_gpu(study),
                                      oversubscription(study), other_code(study.machine)})
    if (!sentence.empty())
      text += roofline::coloured(sentence, roofline::Colour::yellow, colours) + "\n";
  return text;
}

}  // namespace gpp
