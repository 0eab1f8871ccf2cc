// A lock between processes, by a file that exists while the lock is held.
#pragma once

#include <filesystem>
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
  /// Writes the holder's description into the file for others.
  void note(const std::string& text) const;
  /// The holder's description, at most 200 bytes; empty if unreadable.
  static std::string note_in(const std::filesystem::path& file);

 private:
  enum class Try { taken, busy, gone, failed };
  Try try_once();

  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace roofline
