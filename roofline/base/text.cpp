#include "roofline/base/text.h"

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

namespace roofline {
namespace {

/// The start of the UTF-8 character that contains the byte at this position.
std::size_t character_at(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< length in bytes; 0: invalid UTF-8
};

/// The first character of a non-empty text. Overlong forms and surrogates are invalid.
Character first_character(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (overlong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF) return {};
  return {code, bytes};
}

/// True for characters that are invisible or change how others are displayed.
bool acts(std::uint32_t code) {
  const auto within = [code](std::uint32_t first, std::uint32_t last) {
    return code >= first && code <= last;
  };
  return code < 0x20 || within(0x7F, 0x9F) || code == 0xAD || code == 0x61C || code == 0x180E ||
         within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) ||
         code == 0xFEFF || within(0xFFF9, 0xFFFB) || within(0xE0000, 0xE0FFF);
}

std::string written_out(std::uint32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\t') return "\\t";
  if (code == '\r') return "\\r";
  if (code < 0x80) return fmt::format("\\x{:02x}", code);
  return code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

std::string shown(std::string_view text, bool keep_lines) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    if (character.bytes == 0)
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (acts(character.code) && !(keep_lines && character.code == '\n'))
      result += written_out(character.code);
    else
      result += text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace

std::string replaced(std::string_view text, const std::map<char, std::string_view>& words) {
  std::string result;
  for (const char character : text) {
    const auto word = words.find(character);
    result += word == words.end() ? std::string_view(&character, 1) : word->second;
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t most) {
  constexpr std::string_view mark = "...";
  if (text.size() <= most) return std::string(text);
  return std::string(text.substr(0, character_at(text, most - mark.size()))).append(mark);
}

std::string shortened_inside(std::string_view text, std::size_t most, std::size_t tail) {
  constexpr std::string_view mark = "..";
  if (text.size() <= most) return std::string(text);
  const std::size_t head = character_at(text, most - tail - mark.size());
  const std::size_t last = character_at(text, text.size() - tail);
  return std::string(text.substr(0, head)).append(mark).append(text.substr(last));
}

std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known) {
  return fmt::format("unknown {} '{}'. Known: {}.", kind, name, fmt::join(known, ", "));
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;  // "f" would be demangled as float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> words(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return words != nullptr ? words.get() : symbol;
}

void refuse_file(std::string_view file, std::string_view what) {
  throw InputError(fmt::format("{}: {}", visible(file), what));
}

std::string visible(std::string_view text) { return shown(text, false); }

std::string visible_lines(std::string_view text) { return shown(text, true); }

namespace {

struct Prefixed {
  double mantissa;  ///< digits of the value, from 1 to 1000
  const char* prefix;
};

Prefixed prefixed(double value) {
  static constexpr std::array<const char*, 12> prefixes = {"f", "p", "n", "u", "m", "",
                                                           "k", "M", "G", "T", "P", "E"};
  // The value is rounded first, so that 999.9 becomes 1.00 k and not 1000.
  const double rounded = std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr);
  const double exact = std::floor(std::log10(std::abs(rounded)) / 3);
  const int thousand = std::isnan(exact) ? 0 : static_cast<int>(std::clamp(exact, -5.0, 6.0));
  return {rounded / std::pow(1000.0, thousand), prefixes[static_cast<std::size_t>(thousand + 5)]};
}

}  // namespace

std::string describe_seconds(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:#.4g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:#.4g} ms", 1e3 * seconds);
  return fmt::format("{:#.4g} us", 1e6 * seconds);
}

std::string describe_rate(double rate, std::string_view unit) {
  for (const auto& [scale, prefix] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}})
    if (rate >= scale) return fmt::format("{:#.4g} {}{}", rate / scale, prefix, unit);
  return fmt::format("{:.4g} {}", rate, unit);
}

std::string describe_working_set(double bytes) {
  constexpr double kib = 1024;
  for (const auto& [scale, unit] :
       {std::pair{kib * kib * kib, "GiB"}, {kib * kib, "MiB"}, {kib, "KiB"}})
    if (bytes >= scale) return fmt::format("{:.3g} {}", bytes / scale, unit);
  return fmt::format("{:.0f} B", bytes);
}

std::string describe_cores(int cores) {
  return fmt::format("{} {}", cores, cores == 1 ? "core" : "cores");
}

std::string describe_bytes(std::int64_t bytes) {
  constexpr std::array<const char*, 7> units = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.5 && unit + 1 < units.size(); ++unit) size /= 1000;
  if (unit == 0) return fmt::format("{} B", bytes);
  return size < 9.95 ? fmt::format("{:.1f} {}", size, units[unit])
                     : fmt::format("{:.0f} {}", size, units[unit]);
}

std::string with_prefix(double value, std::string_view unit) {
  if (!std::isfinite(value) || value == 0) return fmt::format("{} {}", value, unit);
  const Prefixed number = prefixed(value);
  const double size = std::abs(number.mantissa);
  const int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f} {}{}", number.mantissa, digits, number.prefix, unit);
}

std::string round_with_prefix(double value, std::string_view unit) {
  const Prefixed number = prefixed(value);
  return fmt::format("{:g} {}{}", number.mantissa, number.prefix, unit);
}

std::string percent_text(double percent, int decimals) {
  return fmt::format("{:.{}f}%", percent, decimals);
}

std::string times_text(double factor) { return fmt::format("{:.2f}x", factor); }

std::string short_number(double value) { return fmt::format("{:.3g}", value); }

std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

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
