#include "data/fortran_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <istream>
#include <stdexcept>
#include <utility>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

static_assert(std::endian::native == std::endian::little, "gpp214 files are little endian");

constexpr std::int64_t marker_bytes = sizeof(std::int32_t);
constexpr std::int64_t largest_subrecord = 2147483639;

constexpr const char* damaged =
    "The file is damaged, compressed, or was not written as Fortran unformatted sequential "
    "records, "
    "little endian, with markers and integers of 4 bytes: copy it again from its source, or "
    "generate it again.";

}  // namespace

RecordReader::RecordReader(std::istream& stream, std::string name)
    : stream_(stream), name_(std::move(name)) {
  stream_.seekg(0, std::ios::end);
  const auto end = stream_.tellg();
  if (!stream_ || end < 0)
    throw roofline::InputError(
        fmt::format("{}: its size cannot be found. Use a regular file.", name_));
  stream_bytes_ = end;
  rewind();
}

void RecordReader::rewind() {
  stream_.clear();
  stream_.seekg(0);
  position_ = 0;
}

void RecordReader::fail(const std::string& what) const {
  throw roofline::InputError(
      fmt::format("{}: record {} ({}): {}", name_, record_.number, record_.name, what));
}

void RecordReader::read_raw(void* target, std::int64_t bytes) {
  stream_.read(static_cast<char*>(target), bytes);
  if (stream_.gcount() != bytes)
    throw roofline::InputError(
        fmt::format("{}: reading failed at byte {}. The medium may be faulty, or the file was "
                    "changed while it was read: try again.",
                    name_, position_ + stream_.gcount()));
  position_ += bytes;
}

void RecordReader::require_bytes(std::int64_t bytes, const std::string& of) const {
  const std::int64_t there = stream_bytes_ - position_;
  if (there >= bytes) return;
  fail(
      fmt::format("the file ends at byte {}, inside the {} that begins at byte {} ({} of its {} "
                  "bytes are there). The file is truncated: copy it again from its source, or "
                  "generate it again.",
                  stream_bytes_, of, position_, there, bytes));
}

std::int32_t RecordReader::read_marker(const char* which) {
  require_bytes(marker_bytes, fmt::format("{} marker", which));
  std::int32_t marker = 0;
  read_raw(&marker, marker_bytes);
  return marker;
}

void RecordReader::begin(const Record& record, std::int64_t bytes) {
  record_ = record;
  record_bytes_ = record_left_ = bytes;
  begin_subrecord();
}

/// The last subrecord must complete the record; every earlier one must leave a rest. LLVM's Fortran
/// runtime keeps 2 to 4 GiB in one piece, whose markers are unsigned.
void RecordReader::begin_subrecord() {
  marker_at_ = position_;
  const std::int32_t marker = read_marker("leading");
  const std::int64_t whole = static_cast<std::uint32_t>(marker);
  const bool unsigned_marker = whole == record_bytes_ && whole == record_left_;
  bytes_ = left_ = unsigned_marker ? whole : std::abs(std::int64_t{marker});
  const bool fits = marker < 0 ? bytes_ < record_left_ : bytes_ == record_left_;
  if (!fits && !unsigned_marker)
    fail(
        fmt::format("the leading marker at byte {} announces {} bytes, but {} of the record's {} = "
                    "{} bytes are still to come. Either the dimensions in records 1 and 2 or this "
                    "marker is wrong. {}",
                    marker_at_, marker, record_left_, record_.content, record_bytes_, damaged));
  require_bytes(bytes_, "content");
  record_left_ -= bytes_;
}

void RecordReader::end() {
  const std::int64_t marker_at = position_;
  const std::int32_t marker = read_marker("trailing");
  const bool preceded = bytes_ + record_left_ < record_bytes_;
  const auto expected = static_cast<std::int32_t>(preceded ? -bytes_ : bytes_);
  if (marker == expected) return;
  fail(
      fmt::format("its markers disagree: after the leading one at byte {} the trailing one at byte "
                  "{} must be {}, but it is {}. {}",
                  marker_at_, marker_at, expected, marker, damaged));
}

void RecordReader::read(void* target, std::int64_t bytes) {
  auto* to = static_cast<char*>(target);
  while (bytes > 0) {
    if (left_ == 0) {
      end();
      begin_subrecord();
    }
    const std::int64_t piece = std::min(bytes, left_);
    if (to != nullptr) {
      read_raw(to, piece);
      to += piece;
    } else {
      position_ += piece;
      stream_.seekg(position_);
    }
    left_ -= piece;
    bytes -= piece;
  }
}

void RecordReader::expect_end() {
  if (position_ == stream_bytes_) return;
  throw roofline::InputError(
      fmt::format("{}: {} bytes follow the last record, from byte {} on. The file is not a gpp214 "
                  "file alone, or something was appended to it: copy it again from its source, or "
                  "cut it there.",
                  name_, stream_bytes_ - position_, position_));
}

void write_record(const ByteSink& sink, const std::vector<std::string_view>& pieces,
                  std::int64_t max_subrecord_bytes) {
  if (max_subrecord_bytes < 1 || max_subrecord_bytes > largest_subrecord)
    throw std::invalid_argument(fmt::format("max_subrecord_bytes is {}, but must lie in 1..{}",
                                            max_subrecord_bytes, largest_subrecord));
  std::size_t rest = 0;  // bytes of the record that later subrecords hold
  for (const std::string_view piece : pieces) rest += piece.size();
  std::size_t bytes = 0, left = 0;  // of the subrecord
  bool preceded = false;
  const auto mark = [&](bool negative) {
    const auto length = static_cast<std::int32_t>(bytes);
    const std::int32_t marker = negative ? -length : length;
    sink({reinterpret_cast<const char*>(&marker), sizeof(marker)});
  };
  const auto begin = [&] {
    bytes = left = std::min(rest, static_cast<std::size_t>(max_subrecord_bytes));
    rest -= bytes;
    mark(rest > 0);
  };
  begin();
  for (std::string_view piece : pieces)
    while (!piece.empty()) {
      if (left == 0) {
        mark(std::exchange(preceded, true));
        begin();
      }
      const std::size_t count = std::min(piece.size(), left);
      sink(piece.substr(0, count));
      piece.remove_prefix(count);
      left -= count;
    }
  mark(preceded);
}

std::int64_t framed_bytes(std::int64_t bytes, std::int64_t max_subrecord_bytes) {
  const std::int64_t subrecords =
      std::max<std::int64_t>(1, bytes / max_subrecord_bytes + (bytes % max_subrecord_bytes != 0));
  return roofline::saturating_sum(bytes,
                                  roofline::saturating_product(subrecords, 2 * marker_bytes));
}

}  // namespace gpp
