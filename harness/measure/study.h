// Checking and timing variants side by side.
//
// Correct before fast. Every variant first runs the problem as warm-up, which is checked. Then
// rounds: each variant once per round, in an order drawn anew. A slow spell affects all variants
// alike; rounds end when the rule in timing.h is satisfied. No two runs are the same: before each,
// the problem is varied in the same memory (Placement::vary), so an answer kept from before is
// wrong. A variant that throws, fails its check, writes to its input or ends its process is out,
// with the reason; the others go on. When all timing is done and recorded, the energy of those that
// passed may be measured (energy.h). Then they are counted (CountingOptions), which changes no
// verdict and no time. docs/trust.md tells what this catches and what it cannot.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/measure/energy.h"
#include "harness/measure/load.h"
#include "harness/program/selection.h"
#include "harness/record/record.h"
#include "roofline/counting.h"
#include "roofline/recorder.h"

namespace gpp {

/// The values of --counters and --ceilings.
enum class CountersWanted { automatic, all, source, off };
enum class CeilingsWanted { automatic, off, fresh };

struct CountingOptions {
  CountersWanted counters = CountersWanted::automatic;
  CeilingsWanted ceilings = CeilingsWanted::automatic;
  const roofline::Recorder* recorder = nullptr;  ///< of GPUs; none: nothing is counted by hardware
  /// Problems of more pieces of work than three times those of the largest bundled real input are
  /// counted on a slice by the software counters.
  std::int64_t countable_terms = 200'000'000;

  /// Whether results are looked into as far as can be: by hardware, and of hosts at their machine
  /// code.
  bool looks_into_runs() const {
    return counters == CountersWanted::automatic || counters == CountersWanted::all;
  }
  bool wants_roofs() const {
    return counters != CountersWanted::off && ceilings != CeilingsWanted::off;
  }
  /// Whether results of GPUs are to be counted by hardware.
  bool by_hardware() const { return recorder != nullptr && looks_into_runs(); }
};

struct StudyOptions {
  std::optional<double> tolerance;  ///< the kernel's own for each variant where empty
  TimingRule timing;
  CountingOptions counting;
  /// Workers (apart.h) are this program, started anew. Not so: forks of it, for variants that no
  /// catalog has.
  bool programs = true;
  int units = 0;           ///< of the device, which workers are confined to; 0: all
  double longest_run = 0;  ///< seconds after which a worker is ended; 0: from the input
};

/// The calls by which a study talks to its surroundings.
struct StudyEvents {
  /// The present activity, and the share of the time limit that is used; negative before and after
  /// the timing.
  std::function<void(std::string_view, double)> progress = [](std::string_view, double) {};
  /// After each step: keep it. Where all timing is done keep it now, whatever becomes of the
  /// process while it counts.
  std::function<void(const std::vector<Result>&, bool all_timed)> recorded =
      [](const std::vector<Result>&, bool) {};
  /// True: stop soon, keep what is there.
  std::function<bool()> interrupted = [] { return false; };
  std::function<double()> clock = steady_seconds;
  LoadMeter* load = nullptr;  ///< measures others around each timed run, where there is one
  std::function<double()> host_clock;  ///< MHz; what the host's runtime says where empty
  /// Finds what tells of a runtime's GPU; may be empty.
  std::function<const roofline::GpuSources&(const Runtime&)> gpu;
  /// Finds the meter of a runtime's device for the energy after timing; empty where nobody asked
  /// for energy.
  std::function<EnergyMeter&(const Runtime&)> energy;
};

/// Whether a result's samples suffice, by the rule on its undisturbed runs; the others count
/// towards the time limit only. `used` and `share` are seconds.
Stop stop(const TimingRule& rule, const Result& result, double used, double share);

/// Runs the choices on the problem. One result for each, in the same order; those without a build
/// are "unavailable".
std::vector<Result> run_study(const Kernel& kernel, Subject& subject,
                              const std::vector<Choice>& choices, const StudyOptions& options,
                              const StudyEvents& events = {});

/// The work of the variant according to its source, on that kind of device. `reason` says why not
/// by hardware. Where its arithmetic is not known `source` stays empty and the reason says that
/// too.
roofline::Counted count_by_source(Subject& subject, const Variant& variant, const std::string& kind,
                                  const std::string& reason);

}  // namespace gpp
