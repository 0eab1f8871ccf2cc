// Output for a person's terminal: colours and progress, and neither where output is redirected.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace roofline {

/// Whether text on standard output may be coloured: it is a terminal, NO_COLOR is unset or empty
/// (no-color.org) and TERM is not "dumb".
bool colours_wanted();

/// Columns for running text on standard output: the terminal's, between 40 and 100; 100 where it is
/// none.
std::size_t text_width();

/// Whether all that was printed on standard output has arrived; else says on standard error why
/// not. For the end of a program, whose exit status it decides.
bool output_arrived(std::string_view program);

enum class Colour { red, green, yellow, cyan, bold };

/// The text in a colour where `wanted`, else as it is.
std::string coloured(std::string_view text, Colour colour, bool wanted);

/// The time left of work of which that share took those seconds: "about 12 s to go"; or "" while
/// too little of it is done to tell.
std::string time_to_go(double share, double seconds);

/// Text broken at words so that lines end before column `width`. Lines but the first are indented
/// by `indent`; the first starts at column `first`, where something stands before it.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent,
                    std::size_t first = 0);

/// The same as lines of their own. A command that comes last, behind "Next: ", stays on one line,
/// to be copied.
std::string paragraph(const std::string& text, std::size_t indent = 0, std::size_t width = 100);

/// A line on standard error that overwrites itself, and vanishes in the end. Silent where
/// standard error is not a terminal.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows "text  37%, about 12 s to go", at most ten times a second; a negative share shows the
  /// text alone.
  void show(std::string_view text, double share = -1.0);
  /// Lines that stand above it, as far as the terminal has room. They are asked for where they are
  /// shown: at most once a second, or `at_once`.
  void above(const std::function<std::string()>& lines, bool at_once = false);
  void clear();

 private:
  void erase();

  bool terminal_;
  int rows_above_ = 0;
  std::chrono::steady_clock::time_point last_above_{};
  std::string shown_;
  std::chrono::steady_clock::time_point last_{};
  std::chrono::steady_clock::time_point start_{};  ///< of the work whose share is shown
  double share_ = -1;
};

}  // namespace roofline
