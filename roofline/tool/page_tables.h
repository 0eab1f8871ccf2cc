// The tables of report.html of profiles: kernels, their work, their instructions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/tool/kept.h"
#include "roofline/view/table.h"

namespace roofline {

/// A roof as people know it: "DRAM" for the level "dram".
std::string roof_label(const Profile& profile, const std::string& roof);

/// The roof that is nearest to a kernel: of most of its work, or of its memory where it has none.
struct Nearest {
  std::string roof;
  double percent = 0;
  std::string by = {};  ///< "by formula" where nobody counted it
};

std::string roof_label(const Profile& profile, const Nearest& nearest);

/// What was counted comes first, then what was stated.
std::optional<Nearest> nearest_of(const Profile& profile, const KernelProfile& kernel);

std::optional<Nearest> nearest_stated(const Profile& profile, const KernelProfile& kernel,
                                      const StatedWork& stated);

/// What no roof allows of the kernels, a line each: "kernel 1: 1086% of DRAM: ...".
std::vector<std::string> above_roofs(const Profile& profile);

/// Says that the roofs are not of the device that ran, and how to have its own; empty where they
/// are.
std::string foreign_roofs(const Profile& profile);

/// Whose roofs they are: "NVIDIA H200 (results/h200/a/study.json, 2026-11-23)", and
/// foreign_roofs().
std::string whose_roofs(const Profile& profile);

/// "./program on NVIDIA H200: 3 kernels, 1.2 ms".
std::string profile_headline(const Profile& profile);

/// A share of a roof for people: "62.2%", and with a mark where no roof allows it: "1086.0% !".
std::string share_of_roof(double percent);

/// The share of the time of all kernels.
TableCell share_cell(const Profile& profile, const KernelProfile& kernel);

ViewTable kernels_table(const Profile& profile);
/// One row for each precision of each kernel that did such work.
ViewTable work_table(const Profile& profile);
/// Of the kernels whose instructions were counted.
ViewTable instructions_table(const Profile& profile);

}  // namespace roofline
