// Shows a profile: tables, terminal charts, and files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roofline/advice.h"
#include "roofline/profile.h"
#include "roofline/view/device_charts.h"

namespace roofline {

/// The number of kernels shown separately; the rest share a line, since most are very short.
inline constexpr std::size_t most_shown = 20;

/// The device's energy, and each kernel's part by time; "" if unknown.
std::string energy_told(const Profile& profile);

/// What limits a kernel, and what to look at next.
Advice advice_on(const Profile& profile, const KernelProfile& kernel);

/// The kernels with time, share and nearest roof, in lines of at most 100 columns.
std::string profile_brief(const Profile& profile);

/// The main finding: the longest kernel, its distance from the nearest roof, its limit, and the
/// next command. `folder` is the profile's folder; may be empty.
std::string profile_learnt(const Profile& profile, const std::filesystem::path& folder);

/// The first rows of a table as text, and how many more it has.
std::string shown_text(Table table);

/// The tables of the report as text, then missing values and notes.
std::string profile_table(const Profile& profile);

/// The missing values of kernels or other rows, with the rows' numbers.
std::string missing_text(const Profile& profile);

/// Terminal charts for the precision with most operations, and for the next one if it has a fifth
/// of all. Others are named; the report has them.
std::string profile_charts(const Profile& profile);

/// The reason why there is no chart: no point under the roofs, or no roofs.
std::string no_chart(const Profile& profile);

/// A chart per precision with visible kernels; steps have the kernels' numbers.
std::vector<RooflineChart> profile_rooflines(const Profile& profile);

/// A chart per instruction model with visible kernels.
std::vector<RooflineChart> profile_instruction_rooflines(const Profile& profile);

/// All rooflines as charts: roofline-fp64, roofline-fp32, ..., roofline-instructions.
std::vector<Chart> profile_pictures(const Profile& profile);

/// Throws InputError if the file exists, unless `replace` is set.
void refuse_to_overwrite(const std::filesystem::path& file, bool replace);

/// Writes profile.json, the charts and report.html into the folder, which is created. Throws
/// InputError if it already has a profile, unless `replace` is set. Returns a message.
std::string write_profile(const Profile& profile, const std::filesystem::path& folder,
                          bool replace);

}  // namespace roofline
