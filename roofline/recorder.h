// Counts what any piece of work does on a GPU.
//
// The counters that do not fit into the hardware at once are collected in several passes: the work
// is run once for each ("user replay"), all its kernels together as one range ("user range"). It
// must therefore do the same each time.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/counters.h"

namespace roofline {

/// Why nothing could be recorded, and the remedy, in words for people.
struct RecorderError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A piece of work to count.
struct Work {
  std::string name;                  ///< of the range, for messages
  std::function<void()> run;         ///< counted; returns when the device is done
  std::function<void()> reset = {};  ///< before each pass, not counted; may be empty
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  /// Empty when work can be counted here, else the reason and its remedy.
  virtual std::string unavailable() const = 0;
  /// Counts `names`, each resolved against the chip first: what it lacks comes back as missing.
  /// Exceptions of `work` pass through. Throws RecorderError when the counters are refused.
  virtual Recording record(const std::vector<std::string>& names, const Work& work) const = 0;
};

/// Counts on the current CUDA device, through CUPTI (loaded when first asked: a program without it
/// starts all the same). Lives forever.
const Recorder& cupti_recorder();

}  // namespace roofline
