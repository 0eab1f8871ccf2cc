// Reads, keeps and shows profiles: as text, as charts and as a page.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "roofline/advice.h"
#include "roofline/profile.h"
#include "roofline/tool/tables.h"
#include "roofline/view/roofline_chart.h"

namespace CLI {
class App;
}

namespace roofline {

class WorkFile;

// ---- Kept profiles (commands.cpp) ---------------------------------------------------------------

struct KeptProfile {
  std::filesystem::path folder;  ///< folder of the profile
  Profile profile;
};

/// Reads the profile in a folder or file. `roofs` names other roofs, as for roofs_called(); if
/// empty, its own roofs are used, or else those that published_name() finds. Throws InputError.
KeptProfile kept_profile(const std::string& record, const std::string& roofs = "");

/// Throws InputError if the file exists, unless `replace` is set.
void refuse_to_overwrite(const std::filesystem::path& file, bool replace);

/// Writes profile.json, the charts and report.html into the folder, which is created. Throws
/// InputError if it already has a profile, unless `replace` is set. Returns a message.
std::string write_profile(const Profile& profile, const std::filesystem::path& folder,
                          bool replace);

/// Computes stated work by the formulas, and reports formulas without a kernel on standard error.
/// `file` is the name of the formulas' file.
void state_work(const WorkFile& work, const std::string& file, Profile& profile);

void add_work_option(CLI::App& command, std::string& file);
void add_roofs_option(CLI::App& command, std::string& roofs);

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

// ---- Profiles of one program's ranks, stored in one folder (ranks.cpp)
// ---------------------------

struct KeptRank {
  int rank = 0;
  KeptProfile kept;
};

/// The folders rank-0, rank-1, ... in this one, by number. Throws InputError if there are too many.
std::map<int, std::filesystem::path> rank_folders(const std::filesystem::path& folder);

/// Writes each rank's profile into its folder, and removes the files of an earlier record.
void write_ranks(const std::vector<KeptRank>& ranks, const std::filesystem::path& folder);

/// The profiles in the folders rank-0, rank-1, ... of this one, by number; none if it is no folder
/// or has a profile of its own. `roofs` is as for kept_profile. Throws InputError.
std::vector<KeptRank> kept_ranks(const std::string& folder, const std::string& roofs);

/// Prints a row for each rank, then the imbalance of the longest kernels or ranges; or the JSON
/// {"ranks": [{"rank", "profile"}], "imbalance", "kernels": [{"name", "seconds", "imbalance"}]}.
void print_ranks(const std::vector<KeptRank>& ranks, const Showing& showing);

// ---- Texts and charts (show.cpp) ----------------------------------------------------------------

/// The device's name, or that it has none.
std::string device_text(const Profile& profile);

/// The origin of the roofs: "NVIDIA H200 (results/h200/a/study.json, 2026-11-23)", and a warning if
/// they belong to another device.
std::string whose_roofs(const Profile& profile);

/// The device's energy; "" if unknown.
std::string energy_told(const Profile& profile);

/// What limits a kernel, and what to look at next.
Advice advice_on(const Profile& profile, const KernelProfile& kernel);

/// Texts, each with the rows that it is about.
using Pairs = std::vector<std::pair<std::string, std::string>>;
/// Each text once, with "all kernels", or their numbers; `word` is that for a row.
Pairs by_text(const Profile& profile,
              const std::function<std::vector<std::string>(const KernelProfile&)>& texts,
              const std::string& word = "kernel");
/// What is missing of the rows' values, with the reasons, and the notes on them.
Pairs remarks_on(const Profile& profile, const std::string& word);
/// Kernels that are faster than a roof allows.
Pairs above_roofs(const Profile& profile);

/// The first rows of a table as text, and how many more the option lists.
std::string shown_text(Table table, const std::string& option = "--csv");

/// The profile as text in lines of at most 100 columns; `details` adds all tables and charts.
std::string profile_text(const Profile& profile, By by, bool details);

/// The main finding: the longest kernel, its distance from the nearest roof, its limit, and the
/// next command. `folder` is the profile's folder; may be empty.
std::string profile_learnt(const Profile& profile, const std::filesystem::path& folder);

/// The reason why there is no chart: no point under the roofs, or no roofs.
std::string no_chart(const Profile& profile);

/// A chart per precision with visible kernels; steps have the kernels' numbers.
std::vector<RooflineChart> profile_rooflines(const Profile& profile);

/// The operations of all its points.
double work_in(const RooflineChart& chart);

/// A chart per instruction model with visible kernels.
std::vector<RooflineChart> profile_instruction_rooflines(const Profile& profile);

/// All rooflines as charts: roofline-fp64, roofline-fp32, ..., roofline-instructions.
std::vector<Chart> profile_pictures(const Profile& profile);

// ---- The page (page.cpp) ------------------------------------------------------------------------

/// The page of the given profiles, shown one at a time, in one self-contained file.
std::string profile_page(const std::vector<KeptProfile>& kept);

}  // namespace roofline
