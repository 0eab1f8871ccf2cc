#include "roofline/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace roofline {

FileLock::Try FileLock::try_once() {
  constexpr int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  file_ = open(path_.c_str(), flags | O_RDWR | O_CREAT, 0666);
  // Another user's file in a shared folder can be locked, but not written.
  if (file_ < 0 && errno == EACCES) {
    file_ = open(path_.c_str(), flags | O_RDONLY);
    if (file_ < 0 && errno == ENOENT) return Try::gone;
  }
  if (file_ < 0) return Try::failed;
  const int locked = flock(file_, LOCK_EX | LOCK_NB);
  const bool busy = locked != 0 && errno == EWOULDBLOCK;
  struct stat opened {
  }, named{};
  const bool same = fstat(file_, &opened) == 0 && stat(path_.c_str(), &named) == 0 &&
                    opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
  if (!busy && same) return Try::taken;
  close(file_);
  file_ = -1;
  return busy ? Try::busy : Try::gone;
}

bool FileLock::take(const std::filesystem::path& file, double seconds, std::string& why) {
  release();
  path_ = file;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int comes_and_goes = 0;
  for (;;) {
    const Try outcome = try_once();
    if (outcome == Try::taken) return true;
    if (outcome == Try::failed) {
      why = std::error_code(errno, std::generic_category()).message();
      return false;
    }
    if (outcome == Try::gone && ++comes_and_goes < 100) continue;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void FileLock::release() {
  if (file_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  flock(file_, LOCK_UN);  // a forked process may hold the lock, too
  close(file_);
  file_ = -1;
}

void FileLock::note(const std::string& text) const {
  struct stat found {};
  if (file_ < 0 || fstat(file_, &found) != 0) return;
  // A file that another user put there is not written to.
  if (!S_ISREG(found.st_mode) || found.st_nlink != 1 || found.st_uid != geteuid()) return;
  // Other users may read the file, regardless of the umask.
  if (fchmod(file_, 0644) != 0 || ftruncate(file_, 0) != 0) return;
  // If this fails, others only see that the lock is held.
  [[maybe_unused]] const ssize_t written = pwrite(file_, text.data(), text.size(), 0);
}

std::string FileLock::note_in(const std::filesystem::path& file) {
  const int opened = open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (opened < 0) return {};
  std::array<char, 200> text;
  const ssize_t count = read(opened, text.data(), text.size());
  close(opened);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(0, count))};
}

}  // namespace roofline
