// Locks between processes, by a file that exists while the lock is held; and turns on a GPU, which
// are such locks.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace roofline {

/// Held until it is released or this object or the process ends, in whatever way. The file is then
/// removed, unless another user made it in a shared folder. A process that opened it meanwhile
/// finds another file with that name, or none, and tries again.
class FileLock {
 public:
  FileLock() = default;
  ~FileLock() { release(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Takes the lock, waiting up to `seconds`. Returns false with an empty `why` if another process
  /// holds it longer, and with a reason if the file cannot be made.
  bool take(const std::filesystem::path& file, double seconds, std::string& why);
  void release();

 private:
  std::filesystem::path path_;
  int file_ = -1;
};

/// The default time in seconds that a command waits for its turn.
inline constexpr double longest_wait_for_turn = 600;

/// The turn to measure on one GPU, whoever starts the programs; held until this object or the
/// process ends.
class DeviceTurn {
 public:
  /// Takes the turn on the GPU with that bus address. Waits up to `seconds`, which `tell` is told.
  /// Throws InputError after the wait. If no lock can be made, there are no turns, and `tell` gets
  /// the reason. A child process of the turn's holder does not wait.
  DeviceTurn(std::string bus_place, double seconds,
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
