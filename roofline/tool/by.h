// Views of a profile by NVTX range instead of kernel.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "roofline/profile.h"
#include "roofline/tool/page_tables.h"

namespace CLI {
class App;
}

namespace roofline {

enum class By { kernel, range };

void add_by_option(CLI::App& command, By& by);

/// The reason why the profile has no such rows, with a remedy; empty if it has.
std::string none_by(const Profile& profile, By by);

/// The rows of a profile.
struct RowsBy {
  const Profile* from = nullptr;
  double all_seconds = 0;  ///< total of the whole profile
  /// A profile with these rows in place of kernels, for its tables and charts. A range includes its
  /// nested ranges.
  Profile profile;
  std::vector<int> ranges = {};  ///< indices of the rows in the original profile

  const RangeProfile& range(std::size_t row) const {
    return from->ranges[static_cast<std::size_t>(ranges[row])];
  }
};

/// Ranges come in tree order, with siblings sorted by time: the `most_shown` longest ranges first,
/// then the rest. Throws InputError with none_by(). The result points into the profile.
RowsBy rows_by(const Profile& profile, By by);

std::vector<PartRow> part_rows(const RowsBy& rows);

/// A table of ranges with all rows; those beyond `most_shown` have the switch "all".
Table ranges_table(const RowsBy& rows);

/// The profile as text; `details` adds all tables and charts.
std::string profile_text(const Profile& profile, By by, bool details);

}  // namespace roofline
