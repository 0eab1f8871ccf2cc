#include "data/replace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "data/error.h"
#include "data/memory.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw InputError(fmt::format("{}: {}", path.string(), what));
}

/// Removes a file when it goes out of scope, unless the file was kept.
class TemporaryFile {
 public:
  explicit TemporaryFile(fs::path path) : path_(std::move(path)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  fs::path path_;
  bool kept_ = false;
};

/// Where the file really goes: the end of a symbolic link, so that the link itself survives.
fs::path final_target(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  return error ? path : target;
}

void check_target(const fs::path& target, std::int64_t bytes) {
  std::error_code error;
  const auto status = fs::status(target, error);
  if (fs::is_directory(status)) fail(target, "this is a directory. Name a file to write.");
  if (fs::exists(status) && !fs::is_regular_file(status))
    fail(target, "this is not a regular file. Name a file to write.");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error))
    fail(target, fmt::format("there is no directory {}. Create it first.", folder.string()));
  const auto space = fs::space(folder, error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes))
    fail(target, fmt::format("writing it takes {}, but its disk has {} left. Free some, or name a "
                             "file on another disk.",
                             describe_bytes(bytes),
                             describe_bytes(static_cast<std::int64_t>(space.available))));
}

/// Makes the system put the file's content on the disk.
bool flush_to_disk(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool flushed = ::fsync(file) == 0;
  return ::close(file) == 0 && flushed;
}

}  // namespace

void replace_file(const fs::path& path, std::int64_t bytes,
                  const std::function<void(std::ostream&)>& write) {
  const fs::path target = final_target(path);
  check_target(target, bytes);
  fs::path beside = target;
  beside += fmt::format(".partial-{}", ::getpid());
  TemporaryFile temporary(beside);

  errno = 0;
  std::ofstream stream(temporary.path(), std::ios::binary | std::ios::trunc);
  if (!stream)
    fail(path, fmt::format("it cannot be written: {}. Check the permissions of its directory.",
                           std::strerror(errno)));
  write(stream);
  stream.close();
  if (!stream || !flush_to_disk(temporary.path()))
    fail(path,
         fmt::format("writing it failed: {}. Nothing was left behind.", std::strerror(errno)));

  std::error_code error;
  fs::rename(temporary.path(), target, error);
  if (error) fail(path, fmt::format("it cannot be put in place: {}.", error.message()));
  temporary.keep();
}

}  // namespace gpp
