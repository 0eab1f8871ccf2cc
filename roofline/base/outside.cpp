#include "roofline/base/outside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/base/units.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

/// An open file, closed when it goes out of scope.
class OpenFile {
 public:
  /// Does not block on a pipe without a writer.
  explicit OpenFile(const std::filesystem::path& file)
      : name_(file.string()),
        descriptor_(::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {
    if (descriptor_ < 0)
      refuse_file(name_, errno == ENOENT ? "there is no such file; check the path"
                                         : fmt::format("cannot be read: {}; check the path and "
                                                       "its permissions",
                                                       std::strerror(errno)));
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::size_t size(std::uintmax_t most) const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) refuse_file(name_, std::strerror(errno));
    if (S_ISDIR(status.st_mode)) refuse_file(name_, "not a file but a folder; name a file");
    if (!S_ISREG(status.st_mode))
      refuse_file(name_,
                  "not a file but a pipe or a device; copy what it holds into a file, and "
                  "name that");
    const auto bytes = static_cast<std::uintmax_t>(status.st_size);
    if (bytes == 0) refuse_file(name_, "empty; write it anew");
    if (bytes > most)
      refuse_file(name_, fmt::format("{} are more than any such file has: {} at most",
                                     describe_bytes(static_cast<std::int64_t>(bytes)),
                                     describe_bytes(static_cast<std::int64_t>(most))));
    return static_cast<std::size_t>(bytes);
  }

  /// Returns fewer bytes if the file became shorter meanwhile.
  std::string read(std::size_t bytes) const {
    std::string text(bytes, '\0');
    std::size_t got = 0;
    while (got < bytes) {
      const ssize_t count = ::read(descriptor_, text.data() + got, bytes - got);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) refuse_file(name_, fmt::format("cannot be read: {}", std::strerror(errno)));
      if (count == 0) break;
      got += static_cast<std::size_t>(count);
    }
    text.resize(got);
    return text;
  }

 private:
  std::string name_;
  int descriptor_;
};

/// Finds the place where a text stops being JSON.
struct FaultFinder : nlohmann::json_sax<nlohmann::json> {
  std::size_t byte = 0;
  std::string token;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::json::exception&) override {
    byte = position;
    token = last_token;
    return false;
  }
};

}  // namespace

std::string text_of_outside_file(const std::filesystem::path& file, std::uintmax_t most) {
  const OpenFile open(file);
  return open.read(open.size(most));
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
    if (letter == '[' || letter == '{') {
      ++depth;
      ++values;
    }
    if ((letter == ']' || letter == '}') && depth > 0) --depth;
    if (letter == ',') ++values;
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
  } catch (const nlohmann::json::parse_error& error) {
    const bool cut = error.byte >= text.size();
    refuse_file(source, fmt::format("not JSON{}; {}",
                                    cut ? fmt::format(" or cut off after byte {}",
                                                      std::max<std::size_t>(error.byte, 1) - 1)
                                        : fmt::format(" from byte {} on", error.byte),
                                    remedy));
  } catch (const nlohmann::json::out_of_range&) {
    FaultFinder fault;
    nlohmann::json::sax_parse(text, &fault);
    refuse_file(
        source,
        fmt::format("the number {} before byte {} is out of range: more than a double holds",
                    visible(fault.token.substr(0, 60)), fault.byte));
  }
}

}  // namespace roofline
