// Where a program spends its time: addresses of instructions, looked at by the clock of its
// threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

namespace roofline {

/// A place in a program or in one of its libraries.
struct SampledAddress {
  std::filesystem::path module;  ///< the file
  std::uint64_t address = 0;     ///< in that file, as nm and objdump count
};

/// The file of this program, for others to read: as it was when it started.
std::filesystem::path own_program();

/// The module of an address in this process; none where none lies there.
SampledAddress module_address(std::uintptr_t place);

/// Runs the work and notes where its threads are each time that they have used another millisecond
/// of processors (the system may look less often, 100 times a second at least). Uses SIGPROF, one
/// at a time; whatever the work throws is passed on.
std::vector<SampledAddress> sample(const std::function<void()>& work);

}  // namespace roofline
