// What variants did, besides how long it took: counted in runs of their own after all timing is
// done, or computed from the source and the input, and placed under the roofs of the device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/record.h"
#include "harness/study/analytic.h"
#include "harness/study/slice.h"
#include "roofline/recorder.h"

namespace gpp {

/// What --counters and --ceilings ask for.
enum class Counters { automatic, source, off };
enum class CeilingsWanted { automatic, off, fresh };

struct CountingOptions {
  Counters counters = Counters::automatic;
  CeilingsWanted ceilings = CeilingsWanted::automatic;
  const roofline::Recorder* recorder = nullptr;  ///< of GPUs; none: nothing is counted by hardware
  /// Problems of more terms are counted on a slice by what software counts.
  std::int64_t countable_terms = gpp::countable_terms;
};

/// True where results of that kind of device are to be counted by hardware.
bool by_hardware(const CountingOptions& options, const std::string& kind);

/// True where the ceilings of the devices used are to be had.
bool wants_ceilings(const CountingOptions& options);

/// One more run of a variant; returns what is wrong with its sums, or "". May throw.
using CheckedRun = std::function<std::string()>;

/// The variant on a slice of the problem (harness/study/slice.h).
struct SliceRun {
  int ngpown = 0;
  CheckedRun run;
};

/// Counts by hardware all that metrics need. With a slice, what software counts
/// (roofline::counted_by_software) is counted on that, and scaled by what hardware counted on both:
/// FP64 operations by the instructions of the FP64 pipe, others by all instructions; where that
/// does not say how much more the whole has, they are missing. Without a slice FLOPs are counted a
/// second time. Passes that counted different work are a defect. Never throws: where the recorder
/// refuses, the work throws, its sums are wrong or nothing useful came back, `source` is empty and
/// `reason` says why.
Counted count_by_hardware(const roofline::Recorder& recorder, const std::string& name,
                          const CheckedRun& run, const std::optional<SliceRun>& slice = {});

/// What the step does according to its source. `reason` says why not by hardware. Where the
/// arithmetic of the step is not known `source` stays empty and the reason says that too.
Counted count_by_source(StepCounter& counter, const std::string& step, const std::string& model,
                        const std::string& reason);

/// Places each result that passed and was counted under the ceilings of its kind of device, where
/// the study has them.
void place_on_roofline(StudyRecord& study);

/// Seconds that counting by hardware took, and that many times one run of each result so counted;
/// empty where nothing was.
struct CountingCost {
  double seconds = 0;
  double times_the_runs = 0;
};
std::optional<CountingCost> counting_cost(const StudyRecord& study);

}  // namespace gpp
