// Where numbers come from: the machine, the build, the revision of the sources.
#pragma once

#include <string>
#include <vector>

#include "harness/record/record.h"
#include "runtimes/runtime.h"

namespace gpp {

/// This machine. `gpus` as their runtimes describe them.
Machine this_machine(std::vector<DeviceDescription> gpus);

/// Threads that a result's model starts on the host, as the runtime grants them now; 0 where it ran
/// elsewhere, or unknown.
int threads_of(const Result& result);

/// A study of the kernel that begins now, here, with this program.
StudyRecord study_from_now(const Kernel& kernel, std::vector<DeviceDescription> gpus);

/// Now and here, for the name of a folder: "20250131-120000-hostname".
std::string folder_name();

}  // namespace gpp
