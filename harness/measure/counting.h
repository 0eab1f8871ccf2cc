// Counts variants after all timing is done: by the counters of the device where they can be read,
// else by what is known of the source.
#pragma once

#include <cstdint>
#include <optional>

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
  /// Whether results of GPUs are to be counted by hardware.
  bool by_hardware() const { return recorder != nullptr && looks_into_runs(); }
};

/// The work of the variant according to its source, on that kind of device. `reason` says why not
/// by hardware. Where its arithmetic is not known `source` stays empty and the reason says that
/// too.
roofline::Counted count_by_source(Subject& subject, const Variant& variant, const std::string& kind,
                                  const std::string& reason);

}  // namespace gpp
