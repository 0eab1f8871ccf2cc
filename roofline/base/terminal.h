// Terminal output with colours and progress; both are off if output is redirected.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace roofline {

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
