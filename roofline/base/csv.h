// Comma-separated values (RFC 4180) of other programs, or values separated by another character,
// with the place of every row for messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/text.h"

namespace roofline {

struct CsvRow {
  std::size_t line = 0;  ///< number of the row's first line in the file, from 1
  std::vector<std::string> cells;
};

/// "FILE:LINE: what". Throws InputError.
[[noreturn]] inline void refuse_line(std::string_view file, std::size_t line,
                                     std::string_view what) {
  throw InputError(visible(file) + ":" + std::to_string(line) + ": " + std::string(what));
}

/// Reads row by row. Both texts must outlive it. Cells may be quoted, hold separators, doubled
/// quotes and ends of lines; lines end with LF or CR LF.
class CsvReader {
 public:
  CsvReader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  /// The next line as it stands, without taking it; empty at the end, too.
  std::string_view next_line() const {
    std::string_view line = text_.substr(at_, text_.find('\n', at_) - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }
  bool at_end() const { return at_ >= text_.size(); }
  void skip_line() {
    at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    ++line_;
  }

  /// Takes the next row behind a prefix. Throws InputError with file and line for an unclosed
  /// quote, text after a closing quote, or too many cells: they take far more memory than the text.
  CsvRow row(std::size_t prefix = 0, char separator = ',') {
    CsvRow row{line_, {}};
    for (at_ += prefix;; ++at_) {
      if (++cells_ > 20'000'000)
        refuse_line(file_, line_,
                    "more than 20 million cells: export fewer launches, or fewer counters");
      const bool is_quoted = at_ < text_.size() && text_[at_] == '"';
      row.cells.push_back(is_quoted ? quoted_cell(row.line, separator) : plain_cell(separator));
      if (at_ < text_.size() && text_[at_] == '\r') ++at_;
      if (at_ < text_.size() && text_[at_] == separator) continue;
      ++at_;
      ++line_;
      return row;
    }
  }

 private:
  std::string quoted_cell(std::size_t begins_at, char separator) {
    std::string cell;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"' && text_.substr(at_ + 1, 1) != "\"") {
        const std::string_view end = text_.substr(++at_, 1);
        if (!end.empty() && end[0] != separator && end != "\r" && end != "\n")
          refuse_line(file_, line_, "a character stands behind the closing quote of a cell");
        return cell;
      }
      at_ += text_[at_] == '"' ? 1 : 0;
      line_ += text_[at_] == '\n' ? 1 : 0;
      cell += text_[at_];
    }
    refuse_line(file_, begins_at, "a quote is never closed: the file is cut off; write it anew");
  }

  std::string plain_cell(char separator) {
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(std::string{separator, '\n'}, at_), text_.size());
    std::string_view cell = text_.substr(begin, at_ - begin);
    if (cell.ends_with('\r')) cell.remove_suffix(1);
    return std::string(cell);
  }

  std::string_view text_, file_;
  std::size_t at_ = 0, line_ = 1;
  std::size_t cells_ = 0;  ///< number of cells read so far
};

}  // namespace roofline
