// Views of a profile by kernel or by NVTX range: as text, and as comma-separated values for
// spreadsheets and data frames.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "roofline/profile.h"
#include "roofline/tool/page_tables.h"

namespace CLI {
class App;
}

namespace roofline {

enum class By { kernel, range };

/// How a profile is printed.
struct Showing {
  By by = By::kernel;
  bool details = false;
  bool json = false;
  bool csv = false;

  bool for_scripts() const { return json || csv; }
};
void add_showing_options(CLI::App& command, Showing& showing);
void print_profile(const Profile& profile, const Showing& showing);

/// The reason why the profile has no such rows, with a remedy; empty if it has.
std::string none_by(const Profile& profile, By by);

/// The rows of a profile.
struct RowsBy {
  const Profile* from = nullptr;
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

/// Profiles, with the numbers of their ranks if there are several.
using RankedProfiles = std::vector<std::pair<std::optional<int>, const Profile*>>;

/// A line of names, then a line for each kernel or range of each profile. The
/// columns depend only on the kind of device and of rows; docs/roofline.md lists them. Values have
/// all digits; unknown ones are empty. All profiles must be of one kind of device. A profile
/// without such rows has no lines; if all are without, InputError is thrown.
std::string profiles_csv(const RankedProfiles& profiles, By by = By::kernel);

}  // namespace roofline
