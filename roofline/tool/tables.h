// Profiles as tables: a row per kernel, per NVTX range, or per precision of their work; for
// terminals, pages, and as comma-separated values for spreadsheets and data frames.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/profile.h"

namespace roofline {

enum class By { kernel, range };

/// The number of rows shown by a terminal and in charts, since most kernels are very short.
inline constexpr std::size_t most_shown = 20;

/// A kernel's nearest roof: that of most of its work, or of its memory if it has no work.
struct Nearest {
  std::string roof;
  double percent = 0;
  std::string by = {};  ///< "by formula" if it was not counted
};

/// The nearest roof for the kernel's counted work, or else for its stated work.
std::optional<Nearest> nearest_of(const Profile& profile, const KernelProfile& kernel);

/// The roof's name for people: "DRAM, by formula".
std::string roof_label(const Profile& profile, const Nearest& nearest);

/// True for a share of a roof that no kernel can have.
bool is_above(double percent);

TableCell share_cell(std::optional<double> seconds, double all_seconds);

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

// Tables of all rows, without empty columns.
/// Launches, time and nearest roof; with `bytes` also those moved at each level.
Table parts_table(const RowsBy& rows, bool bytes);
/// A row for each precision in which a kernel has work, counted or by formula; without work, one of
/// its busiest memory.
Table work_table(const RowsBy& rows);
/// The longest form of each kernel's launches, with its occupancy.
Table launches_table(const RowsBy& rows);
/// The kernels with counted instructions.
Table instructions_table(const RowsBy& rows);

/// Profiles, with the numbers of their ranks if there are several.
using RankedProfiles = std::vector<std::pair<std::optional<int>, const Profile*>>;

/// A line of names, then a line for each kernel or range of each profile. The columns depend only
/// on the kind of device and of rows; docs/roofline.md lists them. Values have all digits; unknown
/// ones are empty. All profiles must be of one kind of device. A profile without such rows has no
/// lines; if all are without, InputError is thrown.
std::string profiles_csv(const RankedProfiles& profiles, By by = By::kernel);

}  // namespace roofline
