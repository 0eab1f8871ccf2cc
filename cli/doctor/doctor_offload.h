// OpenMP on GPUs: built or why not, and whether it runs here.
#pragma once

#include <vector>

#include "cli/doctor/doctor.h"

namespace gpp {

std::vector<Finding> look_at_offload();

}  // namespace gpp
