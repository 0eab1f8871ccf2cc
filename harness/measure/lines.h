// Evidence per source line of one variant on a GPU: `gpp lines`.
//
// CUPTI's modes exclude each other, and a mistake in their order loses records without a word. So
// each mode has a worker of its own; where it crashes or hangs, its mode alone is lost, and the
// record says so.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "harness/measure/worker.h"
#include "harness/record/found_lines.h"
#include "roofline/line_recorder.h"

namespace gpp {

struct LinesOptions {
  int period = 12;  ///< log2 of the cycles between two samples of a multiprocessor: 5 to 31
  /// Seconds that counting may take by estimate; where the whole takes longer, a part is counted.
  double counting_seconds = 10;
  double limit_s = 300;  ///< seconds of silence after which a worker is ended
};

/// Samples and counts a variant that runs on a GPU here. Shows progress. Never throws: what is
/// missing is in LinesRecord::lost.
LinesRecord measure_lines(const Kernel& kernel, const SourceRequest& source, const Choice& choice,
                          const LinesOptions& options);

/// Pieces of work to count in that many seconds, of `terms` of which one run takes `run_seconds`;
/// 0: all.
std::int64_t countable_terms(std::int64_t terms, double run_seconds, double counting_seconds);

// ---- In the worker ------------------------------------------------------------------------------

// Orders, each on the problem of the last run and each answered by a LinesRecord of this name.
inline constexpr const char* lines_message = "lines";
inline constexpr const char* sample_message = "sample";              ///< where lines are sampled
inline constexpr const char* totals_message = "totals";              ///< afterwards
inline constexpr const char* instructions_message = "instructions";  ///< where they are counted

/// Attaches to the device before anything runs there, and works for that mode. `variant_source` is
/// the path of the variant's file. `start` makes the worker.
void work_on_lines(roofline::LineMode mode, int period, const std::string& variant_source,
                   const std::function<std::unique_ptr<VariantWorker>()>& start);

}  // namespace gpp
