#include "roofline/base/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "roofline/base/text.h"

namespace roofline {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

}  // namespace

bool colours_wanted() { return isatty(STDOUT_FILENO) != 0 && !is_set("NO_COLOR") && !dumb(); }

std::size_t text_width() {
  constexpr std::size_t narrowest = 40, widest = 100;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return widest;
  return std::clamp<std::size_t>(size.ws_col, narrowest, widest);
}

bool output_arrived(std::string_view program) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return true;
  fmt::print(stderr,
             "{}: what was printed did not arrive, because standard output cannot be written{}; "
             "direct it elsewhere\n",
             program, errno == 0 ? "" : fmt::format(": {}", std::strerror(errno)));
  return false;
}

std::string coloured(std::string_view text, Colour colour, bool wanted) {
  constexpr std::array codes = {"1;31", "32", "33", "36", "1"};
  if (!wanted) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", codes[static_cast<std::size_t>(colour)], text);
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t first) {
  std::istringstream words(text);
  std::string result;
  std::size_t column = first;
  for (std::string word; words >> word;) {
    if (!result.empty() && column + 1 + word.size() > width) {
      result.push_back('\n');
      result.append(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result.push_back(' ');
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string paragraph(const std::string& text, std::size_t indent, std::size_t width) {
  const std::size_t next = text.size() <= width ? text.npos : text.rfind(" Next: ");
  if (next == text.npos) return wrapped(text, width, indent) + "\n";
  return fmt::format("{}\n{}\n", wrapped(text.substr(0, next), width, indent),
                     text.substr(next + 1));
}

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0 && !dumb()) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(std::string_view text, double share) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!shown_.empty() && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = visible(text.substr(0, 90));
  if (share >= 0) shown_ += fmt::format("  {:3.0f}%", 100 * share);
  fmt::print(stderr, "\r\033[K{}", shown_);
  std::fflush(stderr);
}

void ProgressLine::above(const std::function<std::string()>& lines, bool at_once) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || (!at_once && now - last_above_ < std::chrono::seconds(1))) return;
  last_above_ = now;
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0;
  const int most = (known ? size.ws_row : 24) - 2;
  std::istringstream stream(lines());
  std::string text;
  int rows = 0;
  for (std::string line; rows < most && std::getline(stream, line); ++rows) text += line + "\n";
  erase();
  rows_above_ = rows;
  fmt::print(stderr, "\033[?7l{}\033[?7h{}", text, shown_);  // long lines are cut, not wrapped
  std::fflush(stderr);
}

void ProgressLine::erase() {
  fmt::print(stderr, "\r");
  if (rows_above_ > 0) fmt::print(stderr, "\033[{}A", rows_above_);
  fmt::print(stderr, "\033[J");
  rows_above_ = 0;
}

void ProgressLine::clear() {
  if (shown_.empty() && rows_above_ == 0) return;
  erase();
  std::fflush(stderr);
  shown_.clear();
}

}  // namespace roofline
