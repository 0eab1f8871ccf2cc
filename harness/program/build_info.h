// Facts known when the program was built. CMake writes the values from build_info.cpp.in and
// build_revision.cpp.in.
#pragma once

#include <string_view>

namespace gpp::build_info {

extern const std::string_view version;
extern const std::string_view source_dir;       ///< source tree of this build
extern const std::string_view git_revision;     ///< revision of the sources; "unknown" without git
extern const bool git_dirty;                    ///< true if changes were uncommitted
extern const std::string_view cxx_compiler;     ///< "GNU 12.2.0"
extern const std::string_view cxx_flags;        ///< flags of every C++ source
extern const std::string_view cxx_command;      ///< "/usr/bin/c++"
extern const std::string_view cuda_compiler;    ///< "NVIDIA 12.6.20"; empty without CUDA
extern const std::string_view cuda_flags;       ///< nvcc's flags with architectures
extern const std::string_view cuda_command;     ///< path of nvcc
extern const std::string_view cuda_options;     ///< options except architectures; by ';'
extern const std::string_view cuda_devices;     ///< options for architectures; by ';'
extern const std::string_view openmp_flags;     ///< additional flags of OpenMP sources
extern const std::string_view offload_arch;     ///< "sm_90"; empty if OpenMP is for hosts only
extern const std::string_view offload_toolkit;  ///< CUDA toolkit behind its device code
extern const std::string_view offload_flags;    ///< additional flags of OpenMP GPU sources
extern const std::string_view offload_missing;  ///< reason for hosts only; else empty

}  // namespace gpp::build_info
