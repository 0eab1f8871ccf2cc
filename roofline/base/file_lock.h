// A lock among processes, by a file that is there while it is held.
#pragma once

#include <filesystem>
#include <string>

namespace roofline {

/// Held until it is released or this ends, or the process does, whatever becomes of it. The file
/// ends with the lock, unless another user made it in a folder for all: whoever opened it meanwhile
/// finds another file of that name, or none, and begins anew.
class FileLock {
 public:
  FileLock() = default;
  ~FileLock() { release(); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  /// Takes the lock, waiting up to so many seconds. False where another holds it for longer, with
  /// an empty `why`; and where the file cannot be made, with the reason.
  bool take(const std::filesystem::path& file, double seconds, std::string& why);
  void release();
  /// Writes into the file who holds it, for others to read.
  void note(const std::string& text) const;
  /// The note that the holder wrote there, at most 200 bytes of it; empty where it cannot be read.
  static std::string note_in(const std::filesystem::path& file);

 private:
  enum class Try { taken, busy, gone, failed };
  Try try_once();

  std::filesystem::path path_;
  int file_ = -1;
};

}  // namespace roofline
