// Evidence per source line: a profiler's data on machine instructions, assigned to their source
// lines, and its record.
//
// Every instruction belongs to exactly one pair of lines: the innermost line that contains it and,
// for inlined code, the calling line in the variant's own file. So sums over pairs equal sums over
// instructions, and both views, by line of the variant and by innermost line, are sums of pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "roofline/machine_code/line_table.h"
#include "roofline/record/fields.h"

namespace roofline {

/// The possible counts of an instruction, summed over all of its executions:
/// - warp_instructions: warps that executed it
/// - thread_instructions: their active threads
/// - thread_instructions_pred_on: active threads whose predicate was true
/// - sectors, ideal_sectors: 32-byte sectors of global memory that its accesses touched, and the
///   fewest sectors for that many bytes
/// - shared_wavefronts, ideal_shared_wavefronts: the same for passes through shared memory
/// - local_sectors: sectors of local memory, which holds spilled registers
inline constexpr const char* line_counts[] = {
    "warp_instructions", "thread_instructions", "thread_instructions_pred_on", "sectors",
    "ideal_sectors",     "shared_wavefronts",   "ideal_shared_wavefronts",     "local_sectors"};

/// Limits of stored data, so that all sums fit into 64 bits.
inline constexpr std::size_t most_lines = 10'000;
inline constexpr std::uint64_t most_events = 1'000'000'000'000'000;

using Events = std::map<std::string, std::uint64_t, std::less<>>;

void add_events(Events& sums, const Events& events);
std::uint64_t sum_of(const Events& events);
/// The number of events with that name, or 0.
std::uint64_t events_of(const Events& events, std::string_view name);

struct InstructionEvidence {
  std::uint64_t cubin = 0;   ///< CRC of its cubin, or only its lower 32 bits
  std::string function;      ///< symbol of the function
  std::uint64_t offset = 0;  ///< bytes from the function's start
  Events stalls = {};        ///< samples by stall reason
  Events counts = {};        ///< by the names of line_counts; uncounted ones are absent
};

/// The machine code of a process: cubins by CRC.
using Cubins = std::map<std::uint64_t, std::string>;

/// What was found of a process's instructions: sampled positions of warps, one warp per
/// multiprocessor every 2^period cycles, or numbers of executions.
struct RecordedCode {
  std::vector<InstructionEvidence> instructions;  ///< with their stalls, or with their counts
  Cubins cubins;
  std::vector<std::string> lost;  ///< descriptions of missing parts
  // Of samples:
  std::set<std::string> reasons;     ///< stall reasons of the chip
  int period = 0;                    ///< log2 of the cycles between samples on a multiprocessor
  std::uint64_t dropped = 0;         ///< samples that the hardware lost
  std::uint64_t elsewhere = 0;       ///< samples in kernels of the driver, not of the program
  std::vector<std::string> counted;  ///< of counts: members of line_counts that the chip has
};

/// The evidence on one pair of lines.
struct LineEvidence {
  /// The innermost line. Code without a line has no file, and `function` describes it.
  SourcePlace place;
  /// The line of the variant's file with the inlined call; empty if `place` is in that file, or has
  /// no caller in it.
  std::optional<SourcePlace> called_from;
  /// The readable name of the function that contains `place`; for a compiler's helper its operation
  /// ("division"), wherever it was called.
  std::string function;
  Events stalls;
  Events counts;

  std::uint64_t samples() const { return sum_of(stalls); }
};

/// The line tables of a process's cubins, each read on first use. The cubins must outlive it; more
/// may be added.
class LineTables {
 public:
  explicit LineTables(const Cubins& cubins) : cubins_(cubins) {}

  /// Returns nullptr if the cubin is missing or unreadable, which is added to `lost` once. SASS
  /// metrics have only the lower 32 bits of a CRC, which may be ambiguous.
  const LineTable* find(std::uint64_t crc, std::vector<std::string>& lost);

 private:
  const Cubins& cubins_;
  std::map<std::uint64_t, std::optional<LineTable>> tables_;
  std::set<std::string> told_;
};

/// Sums of events, one per pair of lines.
class LineSums {
 public:
  void add(const LineEvidence& line);
  bool has(const LineEvidence& line) const { return lines_.contains(key_of(line)); }
  std::size_t size() const { return lines_.size(); }
  /// Sorted by file, line, caller and function.
  std::vector<LineEvidence> lines() const;

 private:
  using Key = std::tuple<SourcePlace, std::optional<SourcePlace>, std::string>;
  static Key key_of(const LineEvidence& line) {
    return {line.place, line.called_from, line.function};
  }

  std::map<Key, LineEvidence> lines_;
};

/// Assigns instructions to lines. `own` tells whether a file, given by the compiler's path, is the
/// variant's. The result is sorted by file, line, caller and function. Messages about lost data are
/// added to `lost`.
std::vector<LineEvidence> lines_of(const std::vector<InstructionEvidence>& instructions,
                                   LineTables& tables,
                                   const std::function<bool(const std::string& file)>& own,
                                   std::vector<std::string>& lost);

/// Joins two measurements by adding the events of equal lines.
std::vector<LineEvidence> merged(const std::vector<LineEvidence>& one,
                                 const std::vector<LineEvidence>& two);

/// One line with all its parts, hottest first. Its function is that of its own instructions, or the
/// first one it called.
struct LineGroup : LineEvidence {
  std::vector<LineEvidence> parts;
};

/// The evidence by line of the variant, including all inlined code. Lines of other files without a
/// caller in the variant form groups of their own. Sorted by samples, then by warp instructions, in
/// descending order.
std::vector<LineGroup> by_variant_line(const std::vector<LineEvidence>& lines);

/// The evidence by innermost line, for all callers together, hottest first.
std::vector<LineGroup> by_innermost_line(const std::vector<LineEvidence>& lines);

Events total_stalls(const std::vector<LineEvidence>& lines);
Events total_counts(const std::vector<LineEvidence>& lines);

// ---- The record

/// Describes lines of files by file name in a record.
inline constexpr Named<List<Text>> lines_of_files{{any_text, 20'000}, 100};

struct LinesRecord {
  long long terms = 0;  ///< pieces of work of a study's whole input; 0: unknown
  // Samples are from the whole input.
  long long period = 0;         ///< cycles between samples on a multiprocessor; 0: no samples
  std::uint64_t dropped = 0;    ///< samples that the hardware lost
  std::uint64_t elsewhere = 0;  ///< samples in kernels of the driver
  /// The median seconds of a run with and without sampling; 0: unknown.
  double sampled_seconds = 0;
  double plain_seconds = 0;

  // Counts are of a part of the input, scaled to the whole.
  std::vector<std::string> counted;  ///< counted names of line_counts; may be empty
  std::string part;                  ///< counted part: "35 of 1385 G'"; empty: the whole
  double scale = 1;                  ///< factor that scales counts from the part to the whole
  /// The lines' total counts before scaling; in older records also the hardware's counts of the
  /// same part.
  Events sums, totals;

  std::vector<std::string> lost;  ///< missing or doubtful values, for people
  std::vector<LineEvidence> lines;
  /// The text of all files in `lines` when they were measured, by path.
  std::map<std::string, std::vector<std::string>> sources;

  bool has_samples() const { return period > 0; }
  bool has_counts() const { return !counted.empty(); }
  /// The text of a line at the recorded time; nullptr if not recorded.
  const std::string* source(const SourcePlace& place) const;
};

/// The record of evidence that belongs to these lines.
LinesRecord record_of(RecordedCode code, std::vector<LineEvidence> lines);

void fields(Fields& field, SourcePlace& place);
void fields(Fields& field, LineEvidence& line);
/// Numbers by names that consist of letters, digits and '_'.
void events_field(Fields& field, const char* key, Events& events, const char* meaning);

/// Describes a record. It has at most most_lines lines, with only the numbers that `counted` lists.
void fields(Fields& field, LinesRecord& record);

/// The fields with derived values: samples, and null for uncounted values.
nlohmann::ordered_json to_json(const LinesRecord& record);

}  // namespace roofline
