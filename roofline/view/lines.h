// Evidence per source line, for people: shares, the hottest lines, whole files.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "roofline/record/lines.h"
#include "roofline/view/table.h"

namespace roofline {

/// Shares of all that was measured: of the samples, or of the warp instructions where there are
/// none.
class LineHeat {
 public:
  explicit LineHeat(const LinesRecord& record);

  bool is_of_samples() const { return samples_ > 0; }
  /// 0 to 1.
  double share(const Events& stalls, const Events& counts) const;

 private:
  std::uint64_t samples_, instructions_;
};

/// Files with a line that called what was inlined there: the program's own, or the variant's.
std::set<std::string> calling_files(const LinesRecord& record);

/// All files of the lines in the order in which they are shown: those that call first, then the
/// hottest. Code without a line is of the file "".
std::vector<std::string> files_of(const LinesRecord& record);

/// Sentences: how many samples and how often, what they cost, which part was counted.
std::vector<std::string> measured_how(const LinesRecord& record);

/// The three reasons with most samples, but none below 0.5%: "long_scoreboard 62%, wait 12%",
/// shares of `all` samples.
std::string top_reasons(const Events& stalls, std::uint64_t all);

/// The hottest lines, at most `top`, each with what was inlined there below it, and what is
/// missing. `title` names what ran and the device.
std::string hottest_lines(const LinesRecord& record, const std::string& title, std::size_t top,
                          bool colours);

/// Whole files, line by line, with their heat: those that call with everything inlined, others with
/// what is their own.
std::string whole_files(const LinesRecord& record, const std::string& title, bool colours);

/// A line's text without its margin as it may be shown, shortened to `most` characters.
std::string trimmed_source(const std::string& line, std::size_t most = std::string::npos);
/// "" where the record does not hold it.
std::string recorded_source(const LinesRecord& record, const SourcePlace& place);
/// "12.3%".
TableCell share_cell(double share);
/// "v9.cu:42"; "(memset)" where there is no line.
std::string place_text(const SourcePlace& place, const std::string& function);

}  // namespace roofline
