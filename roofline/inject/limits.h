// What `roofline record` takes from a program at most: it runs anything, and what it sends may be
// forged. docs/roofline.md tells users of these limits.
#pragma once

#include <chrono>
#include <cstddef>

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

/// Functions without source lines whose machine code is shown, and bytes of the cubins that hold
/// it.
inline constexpr std::size_t functions = 100;
inline constexpr std::size_t cubins = 256 << 20;

inline constexpr std::size_t devices = 64;
/// Notes, and bytes of each.
inline constexpr std::size_t notes = 100;
inline constexpr std::size_t note = 2000;

/// What a program left behind is heard for this long after its end, and no longer than this without
/// a word.
inline constexpr std::chrono::seconds afterwards{60};
inline constexpr std::chrono::seconds silence{2};

}  // namespace roofline::inject::limits
