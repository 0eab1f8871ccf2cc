// Programs take turns to measure on a GPU, one at a time, whoever starts them.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "roofline/base/file_lock.h"

namespace roofline {

/// The default time in seconds that a command waits for its turn.
inline constexpr double longest_wait_for_turn = 600;

/// The turn on one GPU, held until this object or the process ends.
class DeviceTurn {
 public:
  /// Takes the turn on the GPU with that bus address, as `who` ("gpp study"). Waits up to
  /// `seconds`; `tell` is called once with a line that names the holder. Throws InputError after
  /// the wait. If no lock can be made, there are no turns, and `tell` gets the reason. A child
  /// process of the turn's holder does not wait.
  DeviceTurn(const std::string& bus_place, const std::string& who, double seconds,
             const std::function<void(const std::string&)>& tell,
             const std::filesystem::path& folder = "/tmp");
  ~DeviceTurn();
  DeviceTurn(const DeviceTurn&) = delete;
  DeviceTurn& operator=(const DeviceTurn&) = delete;

 private:
  FileLock lock_;
  std::optional<std::string> told_;  // earlier value of the variable for child processes
};

}  // namespace roofline
