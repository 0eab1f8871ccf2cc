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
#include "roofline/line_recorder.h"
#include "roofline/record/lines.h"

namespace gpp {

using roofline::LinesRecord;

/// A multiprocessor is sampled every 2^12 cycles by default.
inline constexpr int default_period = 12;

/// Samples and counts a variant that runs on a GPU here, whose answers are not checked. Shows
/// progress. Where counting would take more than 10 s, a part of the input is counted, and scaled.
/// Never throws: what is missing is in LinesRecord::lost.
LinesRecord measure_lines(const Kernel& kernel, const SourceRequest& source, const Choice& choice,
                          int period = default_period);

/// What workers found; a record is empty where nothing was.
struct FoundLines {
  LinesRecord samples;            ///< with the pieces of work of the whole
  LinesRecord counts;             ///< of each line, of a part
  std::int64_t counts_terms = 0;  ///< pieces of work of that part
  std::string part;               ///< what the part is whose lines were counted
};
/// Puts it together, with the sources as they are now.
LinesRecord joined(FoundLines found);

/// A count of a part, for the whole of which it is part_terms of terms; rounded.
std::uint64_t scaled_count(std::uint64_t count, std::int64_t terms, std::int64_t part_terms);

// ---- In the worker ------------------------------------------------------------------------------

// Orders, each on the problem of the last run and each answered by a LinesRecord of this name.
inline constexpr const char* lines_message = "lines";
inline constexpr const char* sample_message = "sample";              ///< where lines are sampled
inline constexpr const char* instructions_message = "instructions";  ///< where they are counted

/// Attaches to the device before anything runs there, and works for that mode. `variant_source` is
/// the path of the variant's file. `start` makes the worker.
void work_on_lines(roofline::LineMode mode, int period, const std::string& variant_source,
                   const std::function<std::unique_ptr<VariantWorker>()>& start);

}  // namespace gpp
