// Evidence per source line of code on a GPU, as in records.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/record/fields.h"
#include "roofline/source_lines.h"

namespace roofline {

/// True if the sum of a count over lines agrees with the hardware's count from another run. The
/// tolerance is 1e-4, because diverged lanes may join elsewhere next time, and LLVM's OpenMP
/// runtime waits in loops; CUDA variants without divergence agree exactly. For lanes that are not
/// switched off it is 1e-3, because the hardware counts these differently after divergence (0.01%
/// in v9 on an H200).
bool are_same(std::string_view count, std::uint64_t sum, std::uint64_t told);

/// Describes lines of files by file name in a record.
inline constexpr roofline::Named<roofline::List<roofline::Text>> lines_of_files{
    {roofline::any_text, 20'000}, 100};

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
  /// The lines' total counts before scaling, and the hardware's counts of the same part.
  Events sums, totals;

  std::vector<std::string> lost;  ///< missing or doubtful values, for people
  std::vector<LineEvidence> lines;
  /// The text of all files in `lines` when they were measured, by path.
  std::map<std::string, std::vector<std::string>> sources;

  bool has_samples() const { return period > 0; }
  bool has_counts() const { return !counted.empty(); }
  /// The text of a line at the recorded time; nullptr if not recorded.
  const std::string* source(const SourcePlace& place) const;
  /// True if the lines' totals agree with hardware counters by are_same(), or if there are none.
  bool sums_agree() const;
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
