#include "roofline/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace roofline {

FileLock::Try FileLock::try_once() {
  file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
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
  close(file_);
  file_ = -1;
}

}  // namespace roofline
