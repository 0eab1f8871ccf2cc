// Functions on texts and names: trimming, shortening, lower case, demangling, unknown names, texts
// of unknown origin made printable; patterns; numbers with their units; terminals with colours and
// progress, both off if output is redirected; and the error for unusable input from a person.
//
// Tables have four digits of times and rates, charts three.
#pragma once

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The text without blanks and line ends at both sides.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

inline bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// ASCII letters in lower case, all else as it is.
inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
    return static_cast<char>(letter < 0x80 ? std::tolower(letter) : letter);
  });
  return lower;
}

/// Replaces each character that is a key of `words` by its word.
std::string replaced(std::string_view text, const std::map<char, std::string_view>& words);

/// Shortens a text to at most this many bytes: unchanged, or its beginning and "...". It is cut
/// between UTF-8 characters.
std::string shortened(std::string_view text, std::size_t most);

/// Shortens a text by ".." in its middle, because long names often differ at their ends. About
/// `tail` bytes of the end remain.
std::string shortened_inside(std::string_view text, std::size_t most, std::size_t tail);

/// "unknown preset 'smal'. Known: tiny, small, medium."
std::string unknown_name(std::string_view kind, std::string_view name,
                         const std::vector<std::string>& known);

/// Turns "_Z1fi" into "f(int)" (Itanium C++ ABI); other texts are unchanged.
std::string demangled(const std::string& symbol);

/// An input, an output path or a request is unusable. The message is complete: what is wrong, where
/// (file, record, byte), and what to do. Programs then end with status 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws InputError "FILE: what", with a printable file name.
[[noreturn]] void refuse_file(std::string_view file, std::string_view what);

/// Escapes every character that has an effect instead of a shape: control characters (C0, DEL and
/// C1) and line ends as "\n", "\x1b" or "\u0085"; marks that change the writing direction or have
/// no width as "\u202e"; bytes that are not UTF-8 as "\xff". The result is UTF-8 on one line, safe
/// on a terminal, and unchanged by a second call.
std::string visible(std::string_view text);

/// Makes a text of several lines printable and keeps its line ends.
std::string visible_lines(std::string_view text);

/// A file that was embedded when the program was built (roofline/cmake/Embed.cmake).
struct EmbeddedText {
  std::string_view path;  ///< path in its source folder: "nvidia.txt"
  std::string_view text;
};

/// The text for unknown values.
inline constexpr const char* unknown_text = "-";

/// A time with a suitable unit: "812.4 ms", "1.630 s", "25.10 us".
std::string describe_seconds(double seconds);

/// A rate with four digits and a suitable decimal prefix: "33.43 TFLOP/s", "4.310 TB/s".
std::string describe_rate(double rate, std::string_view unit);

/// Three digits and a decimal prefix, for charts: "33.1 TFLOP/s", "24.4 ms", "8.10 GB".
std::string with_prefix(double value, std::string_view unit);

/// A round value on an axis: "200 GFLOP/s", "20 T".
std::string round_with_prefix(double value, std::string_view unit);

/// A size in decimal units: "85 kB", "7.7 MB", "912 MB".
std::string describe_bytes(std::int64_t bytes);

/// A working set with a suitable binary prefix, as usual for caches: "48 KiB", "2.38 MiB".
std::string describe_working_set(double bytes);

/// "1 core", "16 cores".
std::string describe_cores(int cores);

/// "12.3%".
std::string percent_text(double percent, int decimals = 1);

/// A ratio: "2.47x".
std::string times_text(double factor);

/// Three significant digits: "0.123", "12.3", "1.23e+06".
std::string short_number(double value);

/// "768,952,000".
std::string with_commas(std::uint64_t number);

// Regular expressions. pattern.cpp alone includes std::regex, because each file that does takes
// five seconds longer to compile.

/// A part of a text that matches a pattern.
struct Match {
  std::vector<std::string> groups;  ///< the whole match first; unused groups are empty
  std::string before, after;        ///< the surrounding text; not set by all()

  const std::string& operator[](std::size_t group) const { return groups.at(group); }
};

/// A regular expression in ECMAScript's grammar.
class Pattern {
 public:
  /// Throws std::regex_error.
  explicit Pattern(const std::string& expression);

  /// Matches only the whole text.
  std::optional<Match> whole(const std::string& text) const;
  std::optional<Match> first(const std::string& text) const;
  std::vector<Match> all(const std::string& text) const;
  /// Replaces each match in the text; `with` refers to groups as $1.
  std::string replaced(const std::string& text, const std::string& with) const;

 private:
  struct Expression;
  std::shared_ptr<const Expression> expression_;
};

/// True if text on standard output may be coloured: it is a terminal, NO_COLOR is unset or empty
/// (no-color.org) and TERM is not "dumb".
bool colours_wanted();

/// The width for text on standard output: the terminal's, between 40 and 100; 100 without a
/// terminal.
std::size_t text_width();

/// True if everything printed on standard output was written; else prints the reason on standard
/// error. It decides a program's exit status.
bool output_arrived(std::string_view program);

enum class Colour { red, green, yellow, cyan, bold };

/// The text in a colour if `wanted`, else unchanged.
std::string coloured(std::string_view text, Colour colour, bool wanted);

/// Breaks text at words so that lines end before column `width`. All lines except the first are
/// indented by `indent`; the first starts at column `first`, after other text.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t first = 0);

/// The same as separate lines. A final command after "Next: " stays on one line, so that it can be
/// copied.
std::string paragraph(const std::string& text, std::size_t indent = 0, std::size_t width = 100);

/// A line on standard error that overwrites itself and is removed at the end. Silent if standard
/// error is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows "text  37%", at most ten times a second; for a negative share only the text.
  void show(std::string_view text, double share = -1.0);
  /// Shows lines above the progress line, as far as there is room. `lines` is called at most once a
  /// second, or now with `at_once`.
  void above(const std::function<std::string()>& lines, bool at_once = false);
  void clear();

 private:
  void erase();

  bool terminal_;
  int rows_above_ = 0;
  std::chrono::steady_clock::time_point last_above_{};
  std::string shown_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace roofline
