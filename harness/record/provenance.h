// Where numbers come from: the machine, the build, the revision of the sources.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The state of the source tree when this program was built.
GitState git_state();

/// The variables of the environment that are set and may change what is measured, with their
/// values: those that put other code into a program (LD_PRELOAD), or say how many threads it has
/// and where (OMP_NUM_THREADS), which devices (CUDA_VISIBLE_DEVICES), how libraries work.
std::map<std::string, std::string> telling_environment();

/// This machine. `gpus` as their runtimes describe them.
Machine this_machine(std::vector<DeviceDescription> gpus);

/// Threads that a result's model starts on the host, as the runtime grants them now; 0 where it ran
/// elsewhere, or unknown.
int threads_of(const Result& result);

BuildRecord this_build();

/// A study of the kernel that begins now, here, with this program.
StudyRecord study_from_now(const Kernel& kernel, std::vector<DeviceDescription> gpus);

/// Now and here, for the name of a folder: "20250131-120000-hostname".
std::string folder_name();

}  // namespace gpp
