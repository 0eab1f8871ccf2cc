#include "roofline/base/replace_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <ext/stdio_filebuf.h>
#include <ostream>
#include <random>
#include <system_error>
#include <vector>

#include "roofline/base/error.h"
#include "roofline/base/units.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;

constexpr const char* partial_prefix = ".partial-";

/// A new file with an unused name, removed when it goes out of scope unless kept. It is opened by
/// name only once, because the name could refer to another file later.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& folder) {
    constexpr int attempts = 100;
    for (int i = 0; i < attempts && file_ < 0 && (i == 0 || errno == EEXIST); ++i) {
      path_ = folder / fmt::format("{}{:08x}{:08x}", partial_prefix, random_(), random_());
      file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
  }
  ~TemporaryFile() {
    if (file_ < 0) return;
    const int before = errno;  // keeps errno for the caller's error message
    ::close(file_);
    std::error_code ignored;
    if (!kept_) fs::remove(path_, ignored);
    errno = before;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool is_open() const { return file_ >= 0; }
  int descriptor() const { return file_; }
  const fs::path& path() const { return path_; }
  void keep() { kept_ = true; }

 private:
  std::random_device random_;
  fs::path path_;
  int file_ = -1;
  bool kept_ = false;
};

/// The file to write: the target of a symbolic link, so that the link itself is kept.
fs::path final_target(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  return error ? path : target;
}

fs::path folder_of(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

void check_target(const fs::path& target, std::int64_t bytes, AtLink at_link) {
  std::error_code error;
  const auto status = at_link == AtLink::replace && fs::is_symlink(target, error)
                          ? fs::file_status(fs::file_type::not_found)
                          : fs::status(target, error);
  if (fs::is_directory(status))
    refuse_file(target.string(), "this is a directory. Name a file to write.");
  if (fs::exists(status) && !fs::is_regular_file(status))
    refuse_file(target.string(), "this is not a regular file. Name a file to write.");
  const fs::path folder = folder_of(target);
  if (!fs::is_directory(folder, error))
    refuse_file(target.string(),
                fmt::format("there is no directory {}. Create it first.", folder.string()));
  const auto space = fs::space(folder, error);
  if (!error && space.available < static_cast<std::uintmax_t>(bytes))
    refuse_file(target.string(),
                fmt::format("writing it takes {}, but its disk has {} left. Free some, or name a "
                            "file on another disk.",
                            describe_bytes(bytes),
                            describe_bytes(static_cast<std::int64_t>(space.available))));
}

}  // namespace

void replace_file(const fs::path& path, std::int64_t bytes,
                  const std::function<void(std::ostream&)>& write, AtLink at_link) {
  const fs::path target = at_link == AtLink::follow ? final_target(path) : path;
  check_target(target, bytes, at_link);
  errno = 0;
  TemporaryFile temporary(folder_of(target));
  if (!temporary.is_open())
    refuse_file(path.string(),
                fmt::format("it cannot be written: {}. Check the permissions of its directory.",
                            std::strerror(errno)));
  __gnu_cxx::stdio_filebuf<char> buffer(::dup(temporary.descriptor()), std::ios::out);
  std::ostream stream(&buffer);
  write(stream);
  stream.flush();
  if (!stream || ::fsync(temporary.descriptor()) != 0)
    refuse_file(path.string(), fmt::format("writing it failed: {}. Nothing was left behind.",
                                           std::strerror(errno)));

  std::error_code error;
  fs::rename(temporary.path(), target, error);
  if (error)
    refuse_file(path.string(), fmt::format("it cannot be put in place: {}.", error.message()));
  temporary.keep();
}

void remove_partial_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->path().filename().string().starts_with(partial_prefix))
      left.push_back(entry->path());
  for (const fs::path& file : left) fs::remove(file, error);
}

void write_whole(const fs::path& path, std::string_view text) {
  replace_file(
      path, static_cast<std::int64_t>(text.size()),
      [text](std::ostream& stream) {
        stream.write(text.data(), static_cast<std::streamsize>(text.size()));
      },
      AtLink::replace);
}

}  // namespace roofline
