// Profiles that were kept: what show, report and compare begin with.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/profile.h"

namespace CLI {
class App;
}

namespace roofline {

class WorkFile;

struct KeptProfile {
  std::filesystem::path folder;  ///< that it lies in
  Profile profile;
};

/// Reads the profile in a folder, or in a file. `roofs` names other roofs than its own, as for
/// roofs_called(); empty: its own, or else those published_name() has. Throws InputError.
KeptProfile kept_profile(const std::string& record, const std::string& roofs = "");

/// The name of its folder, fit to be shown: it tells the profile from others.
std::string kept_name(const KeptProfile& kept);

void add_details_option(CLI::App& command, bool& details);

void add_work_option(CLI::App& command, std::string& file);

/// States work by the formulas; on standard error, which of them fit no kernel. `file` is their
/// file, for people.
void state_work(const WorkFile& work, const std::string& file, Profile& profile);

void add_roofs_option(CLI::App& command, std::string& roofs);

}  // namespace roofline
