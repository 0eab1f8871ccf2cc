// Reads, stores and shows profiles: as text, as charts and as a page.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "roofline/base/table.h"
#include "roofline/profile.h"
#include "roofline/view/chart.h"

namespace CLI {
class App;
}

namespace roofline {

class WorkFile;

// ---- Tables (tables.cpp): a row per kernel, per NVTX range, or per precision of their work ----

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

enum class Shown {
  parts,    ///< launches, time and nearest roof
  details,  ///< the same, with the bytes moved at each level
  work      ///< a row for each precision in which a kernel has work, counted or by formula
};

/// A table of all rows, without empty columns.
Table part_table(const RowsBy& rows, Shown what);

// ---- Kept profiles (kept.cpp) -------------------------------------------------------------------

struct KeptProfile {
  std::filesystem::path folder;  ///< folder of the profile
  Profile profile;
  std::optional<int> rank = {};  ///< of a program whose ranks have profiles of their own
};
/// One profile, or those of a program's ranks, in the folders rank-0, rank-1, ... of one folder.
using Kept = std::vector<KeptProfile>;

/// A line of names, then a line for each kernel or range of each profile. The columns depend only
/// on the kind of device and of rows; docs/roofline.md lists them. Values have all digits; unknown
/// ones are empty. All profiles must be of one kind of device. A profile without such rows has no
/// lines; where it is the only one, InputError is thrown.
std::string profiles_csv(const Kept& profiles, By by = By::kernel);

/// Reads the profile in a folder or file. `roofs` is as for put_under_roofs(). Throws InputError.
KeptProfile kept_profile(const std::filesystem::path& record, const std::string& roofs = "");
/// The same, or the profiles of ranks in the folder, by number.
Kept kept_profiles(const std::filesystem::path& record, const std::string& roofs);

/// Sets the roofs: those that roofs_called() finds, or if empty the profile's own, or else those
/// that published_name() finds. Throws InputError.
void put_under_roofs(const std::string& roofs, Profile& profile);

/// Throws InputError if the folder has a profile, or one of a rank, unless `replace` is set.
void refuse_to_overwrite(const std::filesystem::path& folder, bool replace);

/// Writes profile.json, the charts and report.html into the folder, which is created. Throws
/// InputError as refuse_to_overwrite(). Returns a message.
std::string write_profile(const Profile& profile, const std::filesystem::path& folder,
                          bool replace);
/// The same for all; files of other ranks of an earlier record are removed.
std::string write_profiles(const Kept& kept, const std::filesystem::path& folder, bool replace);

/// How profiles are printed.
struct Showing {
  By by = By::kernel;
  bool details = false;
  bool json = false;
  bool csv = false;

  bool for_scripts() const { return json || csv; }
};
/// Prints a profile, or a row for each rank; of ranks as JSON {"ranks": [{"rank", "profile"}]}.
void print_profiles(const Kept& kept, const Showing& showing);
/// The main finding, and the next command.
std::string next_step(const Kept& kept, const std::filesystem::path& folder);

// ---- Options, and formulas (commands.cpp) -------------------------------------------------------

void add_work_option(CLI::App& command, std::string& file);
void add_roofs_option(CLI::App& command, std::string& roofs);
void add_showing_options(CLI::App& command, Showing& showing);

/// Computes stated work by the formulas, and reports formulas without a kernel on standard error.
/// `file` is the name of the formulas' file.
void state_work(const WorkFile& work, const std::string& file, Profile& profile);

// ---- Texts, charts and the page (show.cpp) ------------------------------------------------------

/// The device's name, or that it has none.
std::string device_text(const Profile& profile);

/// The origin of the roofs: "NVIDIA H200 (results/h200/a/study.json, 2026-11-23)", and a warning if
/// they belong to another device.
std::string whose_roofs(const Profile& profile);

/// The first rows of a table as text, and how many more the option lists.
std::string shown_text(Table table, const std::string& option = "--csv");

/// The profile as text in lines of at most 100 columns; `details` adds all tables and a chart.
std::string profile_text(const Profile& profile, By by, bool details);

/// The main finding: the longest kernel, its distance from the nearest roof, its limit, and the
/// next command. `folder` is the profile's folder; may be empty.
std::string profile_learnt(const Profile& profile, const std::filesystem::path& folder);

/// All rooflines as charts: roofline-fp64, roofline-fp32, ..., roofline-instructions.
std::vector<Chart> profile_pictures(const Profile& profile);

/// The page of a profile, called as its folder, in one self-contained file.
std::string profile_page(const Profile& profile, const std::filesystem::path& folder);

}  // namespace roofline
