// The kernels of profiles as comma-separated values, for spreadsheets and data frames.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/profile.h"
#include "roofline/tool/by.h"

namespace roofline {

/// A profile, with the number of its rank if there are several.
struct RankedProfile {
  std::optional<int> rank;
  const Profile* profile;
};

/// A line of names, then a line for each kernel or range of each profile. The
/// columns depend only on the kind of device and of rows; docs/roofline.md lists them. Values have
/// all digits; unknown ones are empty. All profiles must be of one kind of device. A profile
/// without such rows has no lines; if all are without, InputError is thrown.
std::string profiles_csv(const std::vector<RankedProfile>& profiles, By by = By::kernel);

}  // namespace roofline
