#include "roofline/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ext/stdio_filebuf.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <random>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "roofline/base/text.h"

namespace roofline {
namespace {

/// Refuses what is no regular file of at most so many bytes.
std::size_t size_of(int opened, const std::string& name, std::uintmax_t most) {
  struct stat status {};
  if (::fstat(opened, &status) != 0) refuse_file(name, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse_file(name, "not a file but a folder; name a file");
  if (!S_ISREG(status.st_mode))
    refuse_file(name,
                "not a file but a pipe or a device; copy what it holds into a file, and name that");
  if (status.st_size == 0) refuse_file(name, "empty; write it anew");
  if (static_cast<std::uintmax_t>(status.st_size) > most)
    refuse_file(name, fmt::format("{} are more than any such file has: {} at most",
                                  describe_bytes(status.st_size),
                                  describe_bytes(static_cast<std::int64_t>(most))));
  return static_cast<std::size_t>(status.st_size);
}

/// Finds the place where a text stops being JSON.
struct FaultFinder : nlohmann::detail::json_sax_acceptor<nlohmann::json> {
  std::size_t byte = 0;
  std::string token;

  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception& /*fault*/) {
    byte = position;
    token = last_token;
    return false;
  }
};

}  // namespace

std::string text_of_outside_file(const std::filesystem::path& file, std::uintmax_t most) {
  const std::string name = file.string();
  // Does not block on a pipe without a writer.
  const int opened = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (opened < 0 && errno == ENOENT) refuse_file(name, "there is no such file; check the path");
  if (opened < 0)
    refuse_file(name, fmt::format("cannot be read: {}; check the path and its permissions",
                                  std::strerror(errno)));
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(::fdopen(opened, "rb"),
                                                               &std::fclose);
  std::string text(size_of(opened, name, most), '\0');
  // There are fewer bytes if the file became shorter meanwhile.
  text.resize(std::fread(text.data(), 1, text.size(), stream.get()));
  if (std::ferror(stream.get()) != 0)
    refuse_file(name, fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

void require_bounded_json(std::string_view text, std::string_view source) {
  constexpr std::size_t deepest = 64, most_values = 4'000'000;
  std::size_t depth = 0, values = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') quoted = !quoted;
    if (quoted && letter == '\\') ++i;
    if (quoted) continue;
    const bool opens = letter == '[' || letter == '{', closes = letter == ']' || letter == '}';
    depth += opens ? 1 : 0;
    depth -= closes && depth > 0 ? 1 : 0;
    values += opens || letter == ',' ? 1 : 0;
    if (depth > deepest)
      refuse_file(source, fmt::format("nested more than {} levels deep at byte {}: nothing that "
                                      "was kept is",
                                      deepest, i + 1));
    if (values > most_values)
      refuse_file(source, fmt::format("more than {} values up to byte {}: nothing that was kept "
                                      "has as many",
                                      most_values, i + 1));
  }
}

nlohmann::json json_in(std::string_view text, std::string_view source, std::string_view remedy) {
  require_bounded_json(text, source);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    FaultFinder fault;
    nlohmann::json::sax_parse(text, &fault);
    if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr)
      refuse_file(source, fmt::format("the number {} before byte {} is out of range: more than a "
                                      "double holds",
                                      visible(fault.token.substr(0, 60)), fault.byte));
    const bool cut = fault.byte >= text.size();
    const std::size_t byte = cut ? std::max<std::size_t>(fault.byte, 1) - 1 : fault.byte;
    refuse_file(source, fmt::format("not JSON{} byte {}{}; {}", cut ? " or cut off after" : " from",
                                    byte, cut ? "" : " on", remedy));
  }
}

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

void write_whole(const fs::path& path, std::string_view text) {
  replace_file(path, [text](std::ostream& stream) {
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  });
}

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
