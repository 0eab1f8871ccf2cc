// The kernels of profiles as comma-separated values, for spreadsheets and data frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/profile.h"
#include "roofline/tool/by.h"

namespace roofline {

/// A profile, and the rank that wrote it where many did.
struct RankedProfile {
  std::optional<int> rank;
  const Profile* profile;
};

/// A line of names, then a line for each kernel, range, launch or stream of each profile. The
/// columns are the same for all profiles of one kind of device and rows; docs/roofline.md lists
/// them. Values are in full, those that are not known are empty. All profiles must be of one kind.
/// A profile that has nothing of the kind has no lines, unless there is no other: then InputError
/// is thrown.
std::string profiles_csv(const std::vector<RankedProfile>& profiles, By by = By::kernel);

}  // namespace roofline
