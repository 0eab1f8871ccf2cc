// Evidence per source line of what ran on a GPU, as records keep it.
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

/// Whether the lines' sum of a count is what the hardware told of another run: within 1e-4, because
/// where lanes of a warp part they may meet again elsewhere the next time, and LLVM's OpenMP
/// runtime waits in loops; CUDA variants of one path agree to the instruction. Lanes that are not
/// switched off within 1e-3: the hardware tells these in another way where lanes part (0.01% of
/// v9's on an H200).
bool are_same(std::string_view count, std::uint64_t sum, std::uint64_t told);

/// Lines of files by the files' names, as a record takes them.
inline constexpr roofline::Named<roofline::List<roofline::Text>> lines_of_files{
    {roofline::any_text, 20'000}, 100};

struct LinesRecord {
  long long terms = 0;  ///< pieces of work of the whole input, of a study; 0: not known
  // Samples are of the whole input.
  long long period = 0;  ///< cycles between two samples of a multiprocessor; 0: none were taken
  std::uint64_t dropped = 0;    ///< samples that the hardware could not keep
  std::uint64_t elsewhere = 0;  ///< samples in kernels that are not the program's
  /// Median seconds of a run while it was sampled, and of one that was not; 0: not known.
  double sampled_seconds = 0;
  double plain_seconds = 0;

  // Counts are of a part of the input, scaled to the whole.
  std::vector<std::string> counted;  ///< of line_counts, those that were; may be empty
  std::string part;                  ///< that was counted: "35 of 1385 G'"; empty: the whole
  double scale = 1;                  ///< the whole over the part, by which counts were multiplied
  /// Sums of the lines' counts before scaling, and what hardware counters told of the same part.
  Events sums, totals;

  std::vector<std::string> lost;  ///< what is missing or doubtful, for people
  std::vector<LineEvidence> lines;
  /// The lines of the files that `lines` are of, as they were, by path.
  std::map<std::string, std::vector<std::string>> sources;

  bool has_samples() const { return period > 0; }
  bool has_counts() const { return !counted.empty(); }
  /// The text of a line as it was; nullptr where it is not recorded.
  const std::string* source(const SourcePlace& place) const;
  /// Whether the lines' sums are what hardware counters told, as are_same() sees it; where these
  /// told nothing, too.
  bool sums_agree() const;
};

void fields(Fields& field, LineEvidence& line);
/// Numbers by names of letters, digits and '_'.
void events_field(Fields& field, const char* key, Events& events, const char* meaning);

/// As the fields "lines", at most most_lines, and "counted": names of
/// line_counts, each at most once. No line has a number that `counted` does not name.
void lines_fields(Fields& field, std::vector<LineEvidence>& lines,
                  std::vector<std::string>& counted);
void fields(Fields& field, LinesRecord& record);

/// The fields, and what follows from them: samples, and null for what was not counted.
nlohmann::ordered_json to_json(const LinesRecord& record);

}  // namespace roofline
