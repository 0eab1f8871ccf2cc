// Evidence per source line: what a profiler tells of machine instructions, charged to the lines
// that they come from.
//
// Every instruction belongs to exactly one pair of lines: the innermost line that it was written
// on, and the line of the variant's own file that called it, where it was inlined from elsewhere.
// So sums over pairs are sums over instructions; both views, by line of the variant and by line of
// what it calls, add pairs up.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "roofline/machine_code/line_table.h"

namespace roofline {

/// The counts of an instruction that can be had, in events of all of its executions:
/// - warp_instructions: warps that executed it
/// - thread_instructions: their active threads
/// - thread_instructions_pred_on: of those, the ones whose predicate was true
/// - sectors, ideal_sectors: 32-byte sectors of global memory that its accesses touched, and the
///   least that as many bytes could touch
/// - shared_wavefronts, ideal_shared_wavefronts: the same of passes through shared memory
/// - local_sectors: sectors of local memory, where spilled registers lie
inline constexpr const char* line_counts[] = {
    "warp_instructions", "thread_instructions", "thread_instructions_pred_on", "sectors",
    "ideal_sectors",     "shared_wavefronts",   "ideal_shared_wavefronts",     "local_sectors"};

/// Limits of what is kept, so that sums of all fit into 64 bits.
inline constexpr std::size_t most_lines = 10'000;
inline constexpr std::uint64_t most_events = 1'000'000'000'000'000;

using Events = std::map<std::string, std::uint64_t, std::less<>>;

/// Adds each of them up.
void add_events(Events& sums, const Events& events);

/// All of them together.
std::uint64_t sum_of(const Events& events);

/// The events of that name; 0 where there are none.
std::uint64_t events_of(const Events& events, std::string_view name);

struct InstructionEvidence {
  std::uint64_t cubin = 0;   ///< CRC of its cubin; the lower 32 bits alone will do
  std::string function;      ///< symbol
  std::uint64_t offset = 0;  ///< bytes from the function's start
  Events stalls = {};        ///< samples by stall reason
  Events counts = {};        ///< by the names of line_counts; what was not counted is not in here
};

/// The machine code of a process: the bytes of each cubin by CRC.
using Cubins = std::map<std::uint64_t, std::string>;

/// The evidence on a pair of lines.
struct LineEvidence {
  /// The innermost line. Without a file where the code has none; `function` then says what it is.
  SourcePlace place;
  /// The line of the variant's file whose inlined call this came from; empty where `place` lies in
  /// that file itself, and where no caller of it does.
  std::optional<SourcePlace> called_from;
  /// The function that `place` was written in, readable; for a helper of the compiler what it
  /// computes ("division"), wherever in the function it was called.
  std::string function;
  Events stalls;
  Events counts;

  std::uint64_t samples() const;
};

/// The tables of a process's cubins, each read when first asked for. They outlive it; more may
/// come.
class LineTables {
 public:
  explicit LineTables(const Cubins& cubins) : cubins_(cubins) {}

  /// nullptr where there is no such cubin, or none that can be read, which goes into `lost` once.
  const LineTable* find(std::uint64_t crc, std::vector<std::string>& lost);

 private:
  /// SASS metrics tell the lower 32 bits alone. Two cubins that share them are not told apart.
  Cubins::const_iterator place_of(std::uint64_t crc) const;
  void tell(const std::string& text, std::vector<std::string>& lost);

  const Cubins& cubins_;
  std::map<std::uint64_t, std::optional<LineTable>> tables_;
  std::set<std::string> told_;
};

/// Lines whose events add up: one for each pair.
class LineSums {
 public:
  void add(const LineEvidence& line);
  bool has(const LineEvidence& line) const { return lines_.contains(key_of(line)); }
  std::size_t size() const { return lines_.size(); }
  /// In the order of file, line, caller and function.
  std::vector<LineEvidence> lines() const;

 private:
  using Place = std::pair<std::string, int>;
  using Key = std::tuple<Place, Place, std::string>;
  static Key key_of(const LineEvidence& line);

  std::map<Key, LineEvidence> lines_;
};

/// Charges instructions to lines. `own` says whether a file, as the compiler wrote its path, is the
/// variant's. In the order of file, line, caller and function. What could not be told goes into
/// `lost`, in words for people.
std::vector<LineEvidence> lines_of(const std::vector<InstructionEvidence>& instructions,
                                   const Cubins& cubins,
                                   const std::function<bool(const std::string& file)>& own,
                                   std::vector<std::string>& lost);
std::vector<LineEvidence> lines_of(const std::vector<InstructionEvidence>& instructions,
                                   LineTables& tables,
                                   const std::function<bool(const std::string& file)>& own,
                                   std::vector<std::string>& lost);

/// Joins two measurements: the events of equal lines add up.
std::vector<LineEvidence> merged(const std::vector<LineEvidence>& one,
                                 const std::vector<LineEvidence>& two);

/// One line with all that belongs to it.
struct LineGroup {
  SourcePlace place;
  std::string function;  ///< of its own instructions, or of the first that it called
  Events stalls;
  Events counts;
  std::vector<LineEvidence> parts;  ///< hottest first

  std::uint64_t samples() const;
};

/// The evidence by line of the variant, everything inlined there included; lines of other files
/// that nothing in the variant called stand for themselves. Hottest first: by samples, then by warp
/// instructions.
std::vector<LineGroup> by_variant_line(const std::vector<LineEvidence>& lines);

/// The evidence by innermost line, whoever called it. Hottest first.
std::vector<LineGroup> by_innermost_line(const std::vector<LineEvidence>& lines);

Events total_stalls(const std::vector<LineEvidence>& lines);
Events total_counts(const std::vector<LineEvidence>& lines);

}  // namespace roofline
