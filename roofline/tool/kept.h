// Profiles that were kept: what show, report and compare begin with.
#pragma once

#include <filesystem>
#include <string>

#include "roofline/profile.h"

namespace CLI {
class App;
}

namespace roofline {

struct KeptProfile {
  std::filesystem::path folder;  ///< that it lies in
  Profile profile;
};

/// Reads it; `record` is its folder or its file, `roofs` other roofs than its own where not empty:
/// roofs_called(). Throws InputError.
KeptProfile kept_profile(const std::string& record, const std::string& roofs = "");

/// What a kept profile is called beside others: the name of its folder, fit to be shown.
std::string kept_name(const KeptProfile& kept);

/// The option --roofs of the commands that read kept profiles.
void add_roofs_option(CLI::App& command, std::string& roofs);

}  // namespace roofline
