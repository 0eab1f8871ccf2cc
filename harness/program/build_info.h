// Facts known when the program was built. CMake writes the values, from build_info.cpp.in and
// build_revision.cpp.in.
#pragma once

#include <string_view>

namespace gpp::build_info {

extern const std::string_view version;
extern const std::string_view source_dir;       ///< the source tree it was built from
extern const std::string_view git_revision;     ///< of the sources; "unknown" without git
extern const bool git_dirty;                    ///< whether they had changes not committed
extern const std::string_view cxx_compiler;     ///< "GNU 12.2.0"
extern const std::string_view cxx_flags;        ///< of every C++ source
extern const std::string_view cxx_command;      ///< "/usr/bin/c++"
extern const std::string_view cuda_compiler;    ///< "NVIDIA 12.6.20"; empty where CUDA was left out
extern const std::string_view cuda_flags;       ///< with the architectures
extern const std::string_view cuda_command;     ///< nvcc, with its path
extern const std::string_view cuda_options;     ///< what it is told but for architectures; by ';'
extern const std::string_view cuda_devices;     ///< what tells it of architectures; by ';'
extern const std::string_view cuda_missing;     ///< why CUDA was left out; empty where it is there
extern const std::string_view openmp_flags;     ///< of the OpenMP sources, in addition
extern const std::string_view offload_arch;     ///< "sm_90"; empty where OpenMP is host only
extern const std::string_view offload_toolkit;  ///< what its device code was made with
extern const std::string_view offload_flags;    ///< of the OpenMP sources for the GPU, in addition
extern const std::string_view offload_missing;  ///< why OpenMP is host only; empty where it is not

}  // namespace gpp::build_info
