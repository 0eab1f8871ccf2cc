// Evidence per source line, for people: shares, the hottest lines, whole files, and published
// lines beside those that play the same part.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/kernel.h"
#include "harness/record/line_evidence.h"

namespace gpp {

/// Shares of all that was measured: of the samples, or of the warp instructions where there are
/// none.
class LineHeat {
 public:
  explicit LineHeat(const LinesRecord& record);

  bool is_of_samples() const { return samples_ > 0; }
  /// 0 to 1.
  double share(const roofline::Events& stalls, const roofline::Events& counts) const;

 private:
  std::uint64_t samples_, instructions_;
};

/// Files with a line that called what was inlined there: the variant's own.
std::set<std::string> calling_files(const LinesRecord& record);

/// All files of the lines in the order in which they are shown: those that call first, then the
/// hottest. Code without a line is of the file "".
std::vector<std::string> files_of(const LinesRecord& record);

/// Sentences: how many samples and how often, what they cost, which part was counted.
std::vector<std::string> measured_how(const LinesRecord& record);

/// The three reasons with most samples, but none below 0.5%: "long_scoreboard 62%, wait 12%",
/// shares of `all` samples.
std::string top_reasons(const roofline::Events& stalls, std::uint64_t all);

/// The hottest lines of the variant, at most `top`, each with what was inlined there below it, and
/// what is missing. `title` names variant, device and input.
std::string hottest_lines(const LinesRecord& record, const std::string& title, std::size_t top,
                          bool colours);

/// Whole files, line by line, with their heat: the variant's with everything inlined, others with
/// what is their own.
std::string whole_files(const LinesRecord& record, const std::string& title, bool colours);

/// A step, and what a record tells of its lines.
struct StepLines {
  std::string id;                      ///< "v8"
  const LinesRecord* lines = nullptr;  ///< nullptr: none are recorded
};

/// The hottest lines, at most `top`: share of all samples, top stalls, source. Where nothing was
/// sampled a sentence that says so.
std::string hottest_in_brief(const LinesRecord& lines, std::size_t top);
/// [{"file", "line", "source", "share", "samples", "stalls": {reason: samples}}, ...]
Json hottest_in_brief_json(const LinesRecord& lines, std::size_t top);

/// For each part that lines of these steps play in what was published: the published lines and the
/// recorded ones, step by step, with samples and top stalls. "" where nothing was published of
/// them.
std::string lines_beside(const Kernel& kernel, const std::vector<StepLines>& steps);
/// [{"role", "title", "published": [{"version", "line", "source", "samples", "not_issued",
/// "warp_instructions", "stalls_of", "stalls"}], "ours": [{"variant", "file", "line", "source",
/// "share", "samples", "stalls"}]}]
Json lines_beside_json(const Kernel& kernel, const std::vector<StepLines>& steps);

}  // namespace gpp
