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

namespace roofline {
namespace {

namespace fs = std::filesystem;

constexpr const char* partial_prefix = ".partial-";

/// A new file with an unused name, removed when it goes out of scope unless kept. It is opened by
/// name only once, because the name could refer to another file later.
struct TemporaryFile {
  explicit TemporaryFile(const fs::path& folder) {
    std::random_device random;
    for (int i = 0; i < 100 && file < 0 && (i == 0 || errno == EEXIST); ++i) {
      path = folder / fmt::format("{}{:08x}{:08x}", partial_prefix, random(), random());
      file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
  }
  ~TemporaryFile() {
    if (file < 0) return;
    const int before = errno;  // keeps errno for the caller's error message
    ::close(file);
    std::error_code ignored;
    if (!kept) fs::remove(path, ignored);
    errno = before;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  fs::path path;
  int file = -1;
  bool kept = false;
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

void check_target(const fs::path& target) {
  std::error_code error;
  const auto status = fs::status(target, error);
  if (fs::is_directory(status))
    refuse_file(target.string(), "this is a directory. Name a file to write.");
  if (fs::exists(status) && !fs::is_regular_file(status))
    refuse_file(target.string(), "this is not a regular file. Name a file to write.");
  if (!fs::is_directory(folder_of(target), error))
    refuse_file(target.string(), fmt::format("there is no directory {}. Create it first.",
                                             folder_of(target).string()));
}

}  // namespace

void replace_file(const fs::path& path, const std::function<void(std::ostream&)>& write,
                  AtLink at_link) {
  const fs::path target = at_link == AtLink::follow ? final_target(path) : path;
  check_target(target);
  errno = 0;
  TemporaryFile temporary(folder_of(target));
  if (temporary.file < 0)
    refuse_file(path.string(),
                fmt::format("it cannot be written: {}. Check the permissions of its directory.",
                            std::strerror(errno)));
  __gnu_cxx::stdio_filebuf<char> buffer(::dup(temporary.file), std::ios::out);
  std::ostream stream(&buffer);
  write(stream);
  stream.flush();
  if (!stream || ::fsync(temporary.file) != 0)
    refuse_file(path.string(), fmt::format("writing it failed: {}. Nothing was left behind.",
                                           std::strerror(errno)));

  std::error_code error;
  fs::rename(temporary.path, target, error);
  if (error)
    refuse_file(path.string(), fmt::format("it cannot be put in place: {}.", error.message()));
  temporary.kept = true;
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
      path,
      [text](std::ostream& stream) {
        stream.write(text.data(), static_cast<std::streamsize>(text.size()));
      },
      AtLink::replace);
}

}  // namespace roofline
