// Where numbers come from: the machine, the build, the revision of the sources.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The state of the source tree this program was built from: as git tells it now, or as it was when
/// the build was configured where git is not at hand or the program lies elsewhere by now.
GitState git_state();

/// This machine. `gpus` as their runtimes describe them.
Machine this_machine(std::vector<DeviceDescription> gpus);

/// Threads that a result's model starts on the host, as the runtime grants them now; 0 where it ran
/// elsewhere, or unknown.
int threads_of(const Result& result);

BuildRecord this_build();

/// Now and here, for the name of a folder: "20250131-120000-hostname".
std::string folder_name();

}  // namespace gpp
