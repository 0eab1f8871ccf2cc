// Limits of what `roofline record` accepts from a program, which may send forged data.
// docs/roofline.md documents them.
#pragma once

#include <chrono>
#include <cstddef>

namespace roofline::inject::limits {

/// Processes that are watched at the same time.
inline constexpr std::size_t processes = 500;

/// Bytes of a packet, which may hold the very long name of a C++ template.
inline constexpr std::size_t packet = 192 << 10;
inline constexpr std::size_t name = 16 << 10;

/// Kernels in ranges, of all devices and ranks; further ones share a name. NVTX ranges, their depth
/// and the bytes of a name; launches in a further range belong to its parent. Bytes of all names.
inline constexpr std::size_t kernels = 50'000;
inline constexpr std::size_t ranges = 10'000;
inline constexpr std::size_t range_depth = 32;
inline constexpr std::size_t range_name = 500;
inline constexpr std::size_t name_bytes = 64 << 20;
/// Open ranges of a process that are remembered.
inline constexpr std::size_t open_ranges = 1000;

inline constexpr std::size_t devices = 64;
/// Numbers of ranks of a program that mpirun started.
inline constexpr int ranks = 4096;
/// Launch forms per kernel, and for all kernels together.
inline constexpr std::size_t forms = 256;
inline constexpr std::size_t all_forms = 200'000;
/// Notes, and bytes of each.
inline constexpr std::size_t notes = 100;
inline constexpr std::size_t note = 2000;

/// The tool listens this long to processes that outlive the program.
inline constexpr std::chrono::seconds afterwards{5};

}  // namespace roofline::inject::limits
