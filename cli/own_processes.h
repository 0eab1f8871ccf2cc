// Variants in processes of their own: this program starts itself, as `gpp lines --elsewhere` or
// `gpp trajectory --elsewhere`, and reads what that writes.
#pragma once

#include <cstdio>

#include "harness/measure/lines.h"
#include "harness/measure/trajectory.h"

namespace gpp {

/// Standard output as it was, for our own lines alone; the caller closes it. What a variant prints
/// goes to standard error from now on. `what`: what would be lost, for the message. Throws
/// std::runtime_error where it cannot be kept.
std::FILE* keep_standard_output(const char* what);

/// Options of `gpp lines` that only such a process is given.
inline constexpr const char* lines_mode_option = "--elsewhere";
inline constexpr const char* lines_part_option = "--part-terms";

/// The input whose lines are wanted, and how they are found.
struct LinesElsewhereRequest {
  const Kernel* kernel = nullptr;
  SourceRequest source;
  LinesOptions options = {};
  double limit_s = 300;  ///< seconds of silence after which a process is stopped
};

/// Samples and counts a variant that runs on a GPU here. Shows progress. Never throws: what is
/// missing is in LinesRecord::lost.
LinesRecord measure_lines_elsewhere(const LinesElsewhereRequest& request, const Choice& choice);

/// The option of `gpp trajectory` that only such a process is given.
inline constexpr const char* trajectory_mode_option = "--elsewhere";

/// Arguments of `gpp trajectory` that every process gets as they are: variants, kernel, sizes and
/// how to measure.
struct TrajectoryElsewhereRequest {
  std::vector<std::string> arguments;
  std::string kind;
  double limit_s = 600;  ///< seconds of silence after which a process is ended
};

/// Starts the processes. On a host each gets as many cores as it shall run on: one of each physical
/// core first.
TrajectoryElsewhere trajectory_elsewhere(const TrajectoryElsewhereRequest& request);

/// These processors, the first of each physical core before the others: "0,1" and "2,3" being one
/// core each, 0 2 1 3. In their own order where the system does not tell.
std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root = "/");

}  // namespace gpp
