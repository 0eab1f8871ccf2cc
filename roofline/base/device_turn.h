// Programs that measure on a GPU take turns: one at a time, whoever starts them.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "roofline/base/file_lock.h"

namespace roofline {

/// Seconds that a command waits for its turn, unless it is told otherwise.
inline constexpr double longest_wait_for_turn = 600;

/// The turn on one GPU, until this ends or the process does.
class DeviceTurn {
 public:
  /// Takes the turn on the GPU at that place on the bus, as `who` ("gpp study"). Waits up to
  /// `seconds`; `tell` is called once with a line that says for whom. Throws InputError where the
  /// other goes on for longer. Where no lock can be made there is no turn, nobody waits, and `tell`
  /// gets the reason. A program that was started by the one whose turn it is does not wait either.
  DeviceTurn(const std::string& bus_place, const std::string& who, double seconds,
             const std::function<void(const std::string&)>& tell,
             const std::filesystem::path& folder = "/tmp");
  ~DeviceTurn();
  DeviceTurn(const DeviceTurn&) = delete;
  DeviceTurn& operator=(const DeviceTurn&) = delete;

 private:
  FileLock lock_;
  std::optional<std::string> told_;  // what the programs that this one starts were told before
};

}  // namespace roofline
