// Evidence per source line of one variant on a GPU: `gpp lines`.
//
// CUPTI's modes exclude each other, and a mistake in their order loses records without a word. So
// each mode has a process of its own, which writes one JSON document per line; where it crashes or
// hangs, its mode alone is lost, and the record says so.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "harness/measure/selection.h"
#include "roofline/base/process.h"
#include "roofline/line_recorder.h"
#include "roofline/record/lines.h"

namespace gpp {

using roofline::LinesRecord;

struct LinesOptions {
  int period = 12;  ///< log2 of the cycles between two samples of a multiprocessor: 5 to 31
  /// Counts instructions on the whole input however long it takes.
  bool whole = false;
  /// Seconds that counting may take by estimate; where the whole takes longer, a part is counted.
  double counting_seconds = 10;
};

// ---- The processes that run the variant ---------------------------------------------------------

/// The task that a process is started for.
struct LinesTask {
  roofline::LineMode mode = roofline::LineMode::samples;
  const Kernel* kernel = nullptr;
  SourceRequest source;
  LinesOptions options;
  /// Most pieces of work to count, 0: all; empty: by the time that it would take.
  std::optional<std::int64_t> part_terms = {};
  std::function<Choice()> choose;  ///< called when the process is attached to the device
};

/// Does it, and writes what it finds line by line, at once. Whatever is thrown becomes a line.
/// Returns whether everything went well.
bool run_lines_task(const LinesTask& task, std::FILE* out);

/// The part of a file's path, as a compiler wrote it, that is its path in the repository; the path
/// itself where it lies elsewhere.
std::string repository_path(const std::string& compiled);

/// Pieces of work to count in that many seconds, of `terms` of which one run takes `run_seconds`;
/// 0: all.
std::int64_t countable_terms(std::int64_t terms, double run_seconds, const LinesOptions& options);

// ---- The process that asked for it --------------------------------------------------------------

/// Starts a process for a mode, with LinesTask::part_terms, and waits for its end.
using LinesElsewhere = std::function<roofline::Finished(roofline::LineMode mode,
                                                        std::optional<std::int64_t> part_terms)>;

/// Both modes, put together. Never throws: what is missing is in LinesRecord::lost. `limit_s`: the
/// seconds of silence after which a process is ended, for messages.
LinesRecord measure_lines(const LinesElsewhere& run, double limit_s);

/// A count of a part, for the whole of which it is part_terms of terms; rounded.
std::uint64_t scaled_count(std::uint64_t count, std::int64_t terms, std::int64_t part_terms);

}  // namespace gpp
