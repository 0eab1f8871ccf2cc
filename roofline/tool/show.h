// A profile for people: tables, charts in the terminal, and files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roofline/profile.h"
#include "roofline/view/device_charts.h"

namespace roofline {

/// How many kernels are shown one by one; the rest share a line. Most take next to no time.
inline constexpr std::size_t most_shown = 20;

/// The device's energy, and each kernel's part by its share of the time; "" where it is not known.
std::string energy_told(const Profile& profile);

/// The kernels with time, share and nearest roof, in lines of at most 100 columns.
std::string profile_brief(const Profile& profile);

/// The lesson of a profile: the kernel with most of the time, how far it is from its nearest roof,
/// what binds it, and the command to go on with. `folder`: where the profile is kept; may be empty.
std::string profile_learnt(const Profile& profile, const std::filesystem::path& folder);

/// The kernels with launches, time and bytes; then each precision of each with its place under the
/// roofs; then what is missing, and the notes.
std::string profile_table(const Profile& profile);

/// What is missing of kernels, or of the rows that stand in their place, with their numbers.
std::string missing_text(const Profile& profile);

/// Charts in the terminal: of the precision with most operations, and of the next where it has a
/// fifth of all. The others are named; they are in the report.
std::string profile_charts(const Profile& profile);

/// Why there is no chart, where no kernel has a place under these roofs, or there are none.
std::string no_chart(const Profile& profile);

/// A chart of each precision of which a kernel is shown; its steps bear the numbers of kernels.
std::vector<RooflineChart> profile_rooflines(const Profile& profile);

/// A chart of each instruction model of which a kernel is shown.
std::vector<RooflineChart> profile_instruction_rooflines(const Profile& profile);

/// All of them as charts: roofline-fp64, roofline-fp32, ..., roofline-instructions.
std::vector<Chart> profile_pictures(const Profile& profile);

/// Throws InputError where the file is there already and `replace` is not given.
void refuse_to_overwrite(const std::filesystem::path& file, bool replace);

/// Writes profile.json, the charts and report.html into the folder, which is made. Throws
/// InputError where a profile lies there already and `replace` is not given. Returns a line for
/// people.
std::string write_profile(const Profile& profile, const std::filesystem::path& folder,
                          bool replace);

}  // namespace roofline
