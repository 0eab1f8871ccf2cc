#include "roofline/base/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace roofline {

void refuse_line(std::string_view file, std::size_t line, std::string_view what) {
  throw InputError(fmt::format("{}:{}: {}", visible(file), line, what));
}

CsvReader::CsvReader(std::string_view text, std::string_view file) : text_(text), file_(file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

std::string_view CsvReader::next_line() const {
  std::string_view line = text_.substr(std::min(at_, text_.size()));
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void CsvReader::skip_line() {
  const std::size_t end = text_.find('\n', at_);
  at_ = end == text_.npos ? text_.size() : end + 1;
  ++line_;
}

std::string CsvReader::quoted_cell(std::size_t begins_at) {
  std::string cell;
  for (++at_; at_ < text_.size(); ++at_) {
    if (text_[at_] != '"') {
      line_ += text_[at_] == '\n' ? 1 : 0;
      cell += text_[at_];
    } else if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
      cell += '"';
      ++at_;
    } else {
      ++at_;
      constexpr std::string_view ends = "\r\n";
      if (at_ < text_.size() && text_[at_] != separator_ && ends.find(text_[at_]) == ends.npos)
        refuse_line(file_, line_, "a character stands behind the closing quote of a cell");
      return cell;
    }
  }
  refuse_line(file_, begins_at, "a quote is never closed: the file is cut off; write it anew");
}

std::string CsvReader::plain_cell() {
  const char ends[] = {separator_, '\n', '\0'};
  const std::size_t end = std::min(text_.find_first_of(ends, at_), text_.size());
  std::string_view cell = text_.substr(at_, end - at_);
  at_ = end;
  if (cell.ends_with('\r')) cell.remove_suffix(1);
  return std::string(cell);
}

CsvRow CsvReader::row() {
  constexpr std::size_t most_cells = 20'000'000;
  CsvRow row{line_, {}};
  for (;;) {
    if (++cells_ > most_cells)
      refuse_line(
          file_, line_,
          fmt::format("more than {} cells: export fewer launches, or fewer counters", most_cells));
    const bool is_quoted = at_ < text_.size() && text_[at_] == '"';
    row.cells.push_back(is_quoted ? quoted_cell(row.line) : plain_cell());
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ >= text_.size()) break;
    if (text_[at_++] == '\n') {
      ++line_;
      break;
    }
  }
  return row;
}

}  // namespace roofline
