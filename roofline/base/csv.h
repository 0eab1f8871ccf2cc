// Comma-separated values (RFC 4180) of other programs, or values separated by another character,
// with the place of every row for messages.
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

/// Reads row by row. Cells may be quoted, hold commas, doubled quotes and ends of lines; lines end
/// with LF or CR LF; a byte order mark at the start is skipped. A file has at most 20 million
/// cells, since they may be kept and take far more memory than its text.
class CsvReader {
 public:
  /// `file` is the name in messages. Both must outlive the reader.
  CsvReader(std::string_view text, std::string_view file);

  /// What stands between cells from here on: a comma if nobody says else.
  void separate_by(char separator) { separator_ = separator; }

  /// The next line as it stands, without taking it; empty at the end, too.
  std::string_view next_line() const;
  bool at_end() const { return at_ >= text_.size(); }
  std::size_t line() const { return line_; }  ///< line number of the next row
  void skip_line();
  void skip(std::size_t characters) { at_ += characters; }  ///< of the next line, at most as many

  /// Takes the next row. Throws InputError with file and line for an unclosed quote, text after a
  /// closing quote, or too many cells.
  CsvRow row();

 private:
  std::string quoted_cell(std::size_t begins_at);
  std::string plain_cell();

  std::string_view text_;
  std::string_view file_;
  char separator_ = ',';
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t cells_ = 0;  ///< number of cells read so far
};

/// "FILE:LINE: what". Throws InputError.
[[noreturn]] void refuse_line(std::string_view file, std::size_t line, std::string_view what);

}  // namespace roofline
