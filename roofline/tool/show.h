// Reads and shows stored profiles: tables, terminal charts, and files.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "roofline/advice.h"
#include "roofline/profile.h"
#include "roofline/view/roofline_chart.h"

namespace CLI {
class App;
}

namespace roofline {

class WorkFile;

struct KeptProfile {
  std::filesystem::path folder;  ///< folder of the profile
  Profile profile;
};

/// Reads the profile in a folder or file. `roofs` names other roofs, as for roofs_called(); if
/// empty, its own roofs are used, or else those that published_name() finds. Throws InputError.
KeptProfile kept_profile(const std::string& record, const std::string& roofs = "");

void add_work_option(CLI::App& command, std::string& file);

/// Computes stated work by the formulas, and reports formulas without a kernel on standard error.
/// `file` is the name of the formulas' file.
void state_work(const WorkFile& work, const std::string& file, Profile& profile);

void add_roofs_option(CLI::App& command, std::string& roofs);

/// The number of kernels shown separately; the rest share a line, since most are very short.
inline constexpr std::size_t most_shown = 20;

/// The device's energy; "" if unknown.
std::string energy_told(const Profile& profile);

/// What limits a kernel, and what to look at next.
Advice advice_on(const Profile& profile, const KernelProfile& kernel);

/// The kernels with time, share and nearest roof, in lines of at most 100 columns.
std::string profile_brief(const Profile& profile);

/// The main finding: the longest kernel, its distance from the nearest roof, its limit, and the
/// next command. `folder` is the profile's folder; may be empty.
std::string profile_learnt(const Profile& profile, const std::filesystem::path& folder);

/// Names the kernels after the first `most_shown`: "3 more kernels have 5 launches and ...".
std::string rest_of(const Profile& profile);

/// The first rows of a table as text, and how many more the option lists.
std::string shown_text(Table table, const std::string& option = "--csv");

/// The tables of the report as text, then missing values and notes.
std::string profile_table(const Profile& profile);

/// Texts, each once with the rows that it is about: "all kernels", or their numbers.
using Pairs = std::vector<std::pair<std::string, std::string>>;
Pairs by_text(const Profile& profile,
              const std::function<std::vector<std::string>(const KernelProfile&)>& texts,
              const std::string& word = "kernel");
Pairs missing_by_text(const Profile& profile, const std::string& word);
Pairs notes_by_text(const Profile& profile, const std::string& word);

/// The missing values and the notes as text; `word` is that for a row.
std::string remarks_text(const Profile& profile, const std::string& word = "kernel");

/// Terminal charts for precisions with a fifth of all operations or more; the report has all.
std::string profile_charts(const Profile& profile);

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

/// Throws InputError if the file exists, unless `replace` is set.
void refuse_to_overwrite(const std::filesystem::path& file, bool replace);

/// Writes profile.json, the charts and report.html into the folder, which is created. Throws
/// InputError if it already has a profile, unless `replace` is set. Returns a message.
std::string write_profile(const Profile& profile, const std::filesystem::path& folder,
                          bool replace);

/// The page of the given profiles, shown one at a time, in one self-contained file.
std::string profile_page(const std::vector<KeptProfile>& kept);

}  // namespace roofline
