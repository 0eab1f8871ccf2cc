// What every view of evidence per source line says: shares, files and how it was measured.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "harness/record/lines.h"

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

/// "768,952,000"
std::string with_commas(std::uint64_t number);

}  // namespace gpp
