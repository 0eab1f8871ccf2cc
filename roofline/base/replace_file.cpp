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

#include "roofline/base/text.h"

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
    ::close(file);
    std::error_code ignored;
    if (!kept) fs::remove(path, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  fs::path path;
  int file = -1;
  bool kept = false;
};

}  // namespace

void replace_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const auto refuse = [name = path.string()](std::string_view what, std::string_view why) {
    refuse_file(name, fmt::format("{}: {}. Check the path, its permissions, and the room there.",
                                  what, why));
  };
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const auto status = fs::symlink_status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_symlink(status))
    refuse("it cannot be written", "it is a directory or a device");
  errno = 0;
  TemporaryFile temporary(folder);
  if (temporary.file < 0) refuse("it cannot be written", std::strerror(errno));
  __gnu_cxx::stdio_filebuf<char> buffer(::dup(temporary.file), std::ios::out);
  std::ostream stream(&buffer);
  write(stream);
  stream.flush();
  if (!stream || ::fsync(temporary.file) != 0) refuse("writing it failed", std::strerror(errno));
  fs::rename(temporary.path, path, error);
  if (error) refuse("it cannot be put in place", error.message());
  temporary.kept = true;
}

void remove_partial_files(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with(partial_prefix)) left.push_back(entry.path());
  for (const fs::path& file : left) fs::remove(file, error);
}

void write_whole(const fs::path& path, std::string_view text) {
  replace_file(path, [text](std::ostream& stream) {
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

}  // namespace roofline
