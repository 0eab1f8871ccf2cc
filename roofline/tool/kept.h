// Stored profiles, which show, report and compare read.
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
  std::filesystem::path folder;  ///< folder of the profile
  Profile profile;
};

/// Reads the profile in a folder or file. `roofs` names other roofs, as for roofs_called(); if
/// empty, its own roofs are used, or else those that published_name() finds. Throws InputError.
KeptProfile kept_profile(const std::string& record, const std::string& roofs = "");

/// The printable name of its folder, which identifies the profile.
std::string kept_name(const KeptProfile& kept);

void add_details_option(CLI::App& command, bool& details);

void add_work_option(CLI::App& command, std::string& file);

/// Computes stated work by the formulas, and reports formulas without a kernel on standard error.
/// `file` is the name of the formulas' file.
void state_work(const WorkFile& work, const std::string& file, Profile& profile);

void add_roofs_option(CLI::App& command, std::string& roofs);

}  // namespace roofline
