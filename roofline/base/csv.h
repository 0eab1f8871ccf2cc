// Comma-separated values (RFC 4180) from other programs, with each row's position for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

struct CsvRow {
  std::size_t line = 0;  ///< number of the row's first line in the file, from 1
  std::vector<std::string> cells;
};

/// Reads row by row. Cells may be quoted and then contain commas, doubled quotes and line ends;
/// lines end with LF or CR LF; a byte order mark at the start is skipped. A file may have 20
/// million cells, because they take far more memory than its text.
class CsvReader {
 public:
  /// `file` is the name in messages. Both must outlive the reader.
  CsvReader(std::string_view text, std::string_view file);

  /// Returns the next line without consuming it; empty at the end, too.
  std::string_view next_line() const;
  bool at_end() const { return at_ >= text_.size(); }
  std::size_t line() const { return line_; }  ///< line number of the next row
  void skip_line();

  /// Takes the next row. Throws InputError with file and line for an unclosed quote, text after a
  /// closing quote, or too many cells.
  CsvRow row();

 private:
  std::string quoted_cell(std::size_t begins_at);
  std::string plain_cell();

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t cells_ = 0;  ///< number of cells read so far
};

/// "FILE:LINE: what". Throws InputError.
[[noreturn]] void refuse_line(std::string_view file, std::size_t line, std::string_view what);

}  // namespace roofline
