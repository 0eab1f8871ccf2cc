// This machine's abilities for a study, and remedies.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpp {

enum class Health {
  good,
  note,    ///< works, but something could be had that is not there
  problem  ///< something that should work does not
};

struct Finding {
  std::string subject;  ///< "device", "model cuda", "tool nvcc"
  Health health = Health::good;
  std::string text;
  std::string remedy;  ///< what to do; may be empty
};

/// Looks at one thing; a new check is a new function in the list.
using DoctorCheck = std::vector<Finding> (*)();
const std::vector<DoctorCheck>& doctor_checks();

std::string name_of(Health health);

/// Whether a driver ("570.86.15") can run what a toolkit ("12.6.20") compiled: empty where it can,
/// else what is wrong. By NVIDIA's minor version compatibility, each major version of the toolkit
/// asks for a least driver (CUDA Compatibility guide): 12 for 525.60.13, 13 for 580.65.06.
std::string cuda_mismatch(std::string_view driver, std::string_view toolkit);

}  // namespace gpp
