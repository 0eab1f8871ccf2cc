// What `roofline record` takes from a program at most: it runs anything, and what it sends may be
// forged. docs/roofline.md tells users of these limits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace roofline::inject::limits {

/// Processes that are watched at a time; fewer where this tool may open fewer files.
inline constexpr std::size_t processes = 500;
/// Files that this tool needs for itself.
inline constexpr std::size_t own_files = 32;

/// Bytes of a packet, and of a kernel's name in it: those of C++ templates may go on for long.
inline constexpr std::size_t packet = 192 << 10;
inline constexpr std::size_t name = 16 << 10;

/// Names of kernels, of all processes together, and their bytes. Kernels beyond share one name.
inline constexpr std::size_t names = 20'000;
inline constexpr std::size_t name_bytes = 32 << 20;

/// NVTX ranges: different ones in their places, how deep they lie, the bytes of a name and of all.
/// What is launched in one beyond belongs to the range around it.
inline constexpr std::size_t ranges = 10'000;
inline constexpr int range_depth = 32;
inline constexpr std::size_t range_name = 500;
inline constexpr std::size_t range_bytes = 2 << 20;
/// Ranges of a thread, and of the process, that are remembered while they are open.
inline constexpr std::size_t open_ranges = 1000;
inline constexpr std::size_t streams = 1000;
/// Ranges of all ranks together, and kernels in ranges and streams. What is launched in a range
/// beyond belongs to the one around it; kernels beyond share one name.
inline constexpr std::size_t ranges_of_ranks = 50'000;
inline constexpr std::size_t in_groups = 50'000;

/// Launches that are kept one by one, of all processes together.
inline constexpr std::int64_t single_launches = 20'000;

inline constexpr std::size_t devices = 64;
/// Ranks of a program that mpirun started, by number.
inline constexpr int ranks = 4096;
/// Kernels of all devices and ranks together.
inline constexpr std::size_t kernels = 50'000;
/// Forms of launches of a kernel, and of all of them together.
inline constexpr std::size_t forms = 256;
inline constexpr std::size_t all_forms = 200'000;
/// Notes, and bytes of each.
inline constexpr std::size_t notes = 100;
inline constexpr std::size_t note = 2000;

/// Processes that a program left behind are heard for this long after its end, and no longer than
/// this without a word.
inline constexpr std::chrono::seconds afterwards{60};
inline constexpr std::chrono::seconds silence{2};

}  // namespace roofline::inject::limits
