#include "roofline/base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "roofline/base/text.h"

namespace roofline {
namespace {

/// A list, for child processes, of the GPUs on which this program holds the turn.
constexpr const char* turn_variable = "ROOFLINE_GPU_TURN";

bool is_the_file(int opened, const std::filesystem::path& path) {
  struct stat found {
  }, named{};
  return fstat(opened, &found) == 0 && stat(path.c_str(), &named) == 0 &&
         found.st_ino == named.st_ino && found.st_dev == named.st_dev;
}

}  // namespace

bool FileLock::take(const std::filesystem::path& file, double seconds, std::string& why) {
  release();
  path_ = file;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (int comes_and_goes = 0;;) {
    // Another user's file in a shared folder can be locked, but not written. Folders that are
    // mounted from elsewhere lock only what is open for writing.
    constexpr int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    file_ = open(file.c_str(), flags | O_RDWR | O_CREAT, 0666);
    if (file_ < 0 && errno == EACCES) file_ = open(file.c_str(), flags | O_RDONLY);
    if (file_ < 0 && errno == ENOENT && ++comes_and_goes < 100) continue;
    if (file_ < 0) {
      why = std::strerror(errno);
      return false;
    }
    // Where there are no locks, everybody has one.
    const bool busy = flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    const bool gone = !is_the_file(file_, file);
    if (!busy && !gone) return true;
    close(std::exchange(file_, -1));
    if (gone && ++comes_and_goes < 100) continue;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void FileLock::release() {
  if (file_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
  flock(file_, LOCK_UN);  // a forked process may hold the lock, too
  close(std::exchange(file_, -1));
}

DeviceTurn::DeviceTurn(std::string bus_place, double seconds,
                       const std::function<void(const std::string&)>& tell,
                       const std::filesystem::path& folder) {
  const char* const held = std::getenv(turn_variable);
  const std::string before = held == nullptr ? "" : held;
  if ((" " + before + " ").find(" " + bus_place + " ") != std::string::npos) return;
  const std::string after = before + (before.empty() ? "" : " ") + bus_place;
  std::ranges::replace_if(
      bus_place, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '-');
  const std::filesystem::path file = folder / ("roofline-gpu-" + bus_place + ".lock");
  std::string why;
  bool taken = lock_.take(file, 0, why);
  if (!taken && why.empty() && seconds > 0) {
    tell(
        fmt::format("another program measures on this GPU; waiting for its end, up to {:g} s "
                    "(--wait)",
                    seconds));
    taken = lock_.take(file, seconds, why);
  }
  if (!taken && why.empty())
    throw InputError(
        fmt::format("another program measures on this GPU: try again later; studies "
                    "and runs wait longer with --wait SECONDS; fuser {} tells who",
                    file.string()));
  if (!taken) {
    tell(fmt::format("others cannot be told that this GPU is in use: {}: {}", file.string(), why));
    return;
  }
  told_ = before;
  setenv(turn_variable, after.c_str(), 1);
}

DeviceTurn::~DeviceTurn() {
  if (!told_) return;
  if (told_->empty())
    unsetenv(turn_variable);
  else
    setenv(turn_variable, told_->c_str(), 1);
}

}  // namespace roofline
