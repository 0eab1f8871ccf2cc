// Runs variants in child processes: the program starts itself as `gpp lines --elsewhere` or `gpp
// trajectory --elsewhere` and reads the output.
#pragma once

#include <cstdio>

#include "harness/measure/lines.h"
#include "harness/measure/trajectory.h"

namespace gpp {

/// Keeps standard output for our own lines; the caller closes it. Later output of a variant goes to
/// standard error. `what` names the loss in an error message. Throws std::runtime_error on failure.
std::FILE* keep_standard_output(const char* what);

/// This option of `gpp lines` is given only to a child process.
inline constexpr const char* lines_mode_option = "--elsewhere";
inline constexpr const char* lines_part_option = "--part-terms";

/// A request for source lines: the variant, its input, and how to measure.
struct LinesElsewhereRequest {
  const Kernel* kernel = nullptr;
  SourceRequest source;
  LinesOptions options = {};
  double limit_s = 300;  ///< a child that is silent for so many seconds is stopped
};

/// Samples and counts a variant on a GPU here, with a progress display. Never throws:
/// LinesRecord::lost names what is missing.
LinesRecord measure_lines_elsewhere(const LinesElsewhereRequest& request, const Choice& choice);

/// This option of `gpp trajectory` is given only to a child process.
inline constexpr const char* trajectory_mode_option = "--elsewhere";

/// Arguments of `gpp trajectory` that every child gets unchanged: variants, kernel, sizes and how
/// to measure.
struct TrajectoryElsewhereRequest {
  std::vector<std::string> arguments;
  std::string kind;
  double limit_s = 600;  ///< a child that is silent for so many seconds is stopped
};

/// Starts the child processes. On a host, each gets the processors that it may use, first one of
/// each physical core.
TrajectoryElsewhere trajectory_elsewhere(const TrajectoryElsewhereRequest& request);

/// Sorts processors so that the first of each physical core comes first: cores "0,1" and "2,3" give
/// 0 2 1 3. The order is unchanged if the system does not report its cores.
std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root = "/");

}  // namespace gpp
