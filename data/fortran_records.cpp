#include "data/fortran_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <istream>
#include <stdexcept>
#include <utility>

#include "roofline/base/error.h"
#include "roofline/base/saturating.h"

namespace gpp {
namespace {

static_assert(std::endian::native == std::endian::little, "gpp214 files are little endian");

constexpr std::int64_t marker_bytes = sizeof(std::int32_t);
constexpr std::int64_t largest_subrecord = 2147483639;

constexpr const char* truncated =
    "The file is truncated: copy it again from its source, or generate it again.";
constexpr const char* damaged =
    "The file is damaged, or was not written as Fortran unformatted sequential records with 4-byte "
    "markers: copy it again from its source, or generate it again.";

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

std::string RecordReader::head(std::int64_t bytes) {
  std::string first(static_cast<std::size_t>(std::min(bytes, stream_bytes_)), '\0');
  rewind();
  read_raw(first.data(), static_cast<std::int64_t>(first.size()));
  rewind();
  return first;
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

std::int32_t RecordReader::read_marker(const char* which) {
  const std::int64_t there = stream_bytes_ - position_;
  if (there == 0)
    fail(fmt::format("the file ends at byte {}, before the {} marker. {}", stream_bytes_, which,
                     truncated));
  if (there < marker_bytes)
    fail(
        fmt::format("the file ends at byte {}, inside the {} marker ({} of its {} bytes are "
                    "there). {}",
                    stream_bytes_, which, there, marker_bytes, truncated));
  std::int32_t marker = 0;
  read_raw(&marker, marker_bytes);
  return marker;
}

void RecordReader::begin(const Record& record, std::int64_t bytes) {
  record_ = record;
  record_bytes_ = bytes;
  record_left_ = bytes;
  subrecord_ = {};
  begin_subrecord();
}

void RecordReader::begin_subrecord() {
  const bool preceded = record_left_ < record_bytes_;
  subrecord_ = {.marker_at = position_, .preceded = preceded};
  const std::int32_t marker = read_marker("leading");
  subrecord_.bytes = std::abs(std::int64_t{marker});
  // LLVM's Fortran runtime keeps 2 to 4 GiB in one piece, whose markers are unsigned.
  if (const std::int64_t whole = static_cast<std::uint32_t>(marker);
      !preceded && whole == record_left_)
    subrecord_.bytes = whole;
  else
    check_length(marker);
  subrecord_.left = subrecord_.bytes;
  check_stream_holds_subrecord();
  record_left_ -= subrecord_.bytes;
}

/// The last subrecord must complete the record; every earlier one must leave a rest.
void RecordReader::check_length(std::int32_t marker) const {
  const std::int64_t bytes = std::abs(std::int64_t{marker});
  if (marker < 0 ? bytes < record_left_ : bytes == record_left_) return;
  const std::string gone =
      subrecord_.preceded ? fmt::format(", of which {} are still to come", record_left_) : "";
  fail(
      fmt::format("the leading marker at byte {} announces {} bytes{}, but the record must hold {} "
                  "= {} bytes{}. Either the dimensions in records 1 and 2 or this marker is wrong. "
                  "{}",
                  subrecord_.marker_at, bytes, marker < 0 ? " and a further subrecord" : "",
                  record_.content, record_bytes_, gone, damaged));
}

void RecordReader::check_stream_holds_subrecord() const {
  const std::int64_t there = stream_bytes_ - position_;
  if (there >= subrecord_.bytes) return;
  fail(
      fmt::format("the file ends at byte {}, inside the content that begins at byte {} ({} of {} "
                  "bytes are there). {}",
                  stream_bytes_, position_, there, subrecord_.bytes, truncated));
}

void RecordReader::end() {
  const std::int64_t marker_at = position_;
  const std::int32_t marker = read_marker("trailing");
  const auto expected =
      static_cast<std::int32_t>(subrecord_.preceded ? -subrecord_.bytes : subrecord_.bytes);
  if (marker == expected) return;
  fail(
      fmt::format("its markers disagree: after the leading one at byte {} the trailing one at byte "
                  "{} must be {}, but it is {}. {}",
                  subrecord_.marker_at, marker_at, expected, marker, damaged));
}

void RecordReader::read(void* target, std::int64_t bytes) {
  auto* to = static_cast<char*>(target);
  while (bytes > 0) {
    if (subrecord_.left == 0) {
      end();
      begin_subrecord();
    }
    const std::int64_t piece = std::min(bytes, subrecord_.left);
    if (to != nullptr) {
      read_raw(to, piece);
      to += piece;
    } else {
      position_ += piece;
      stream_.seekg(position_);
    }
    subrecord_.left -= piece;
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

RecordWriter::RecordWriter(const ByteSink& sink, std::int64_t max_subrecord_bytes)
    : sink_(sink), max_subrecord_bytes_(max_subrecord_bytes) {
  if (max_subrecord_bytes < 1 || max_subrecord_bytes > largest_subrecord)
    throw std::invalid_argument(fmt::format("max_subrecord_bytes is {}, but must lie in 1..{}",
                                            max_subrecord_bytes, largest_subrecord));
}

void RecordWriter::write_marker(std::int64_t length, bool negative) {
  const auto marker = static_cast<std::int32_t>(negative ? -length : length);
  sink_(reinterpret_cast<const char*>(&marker), marker_bytes);
}

void RecordWriter::begin(std::int64_t bytes) {
  record_left_ = bytes;
  preceded_ = false;
  begin_subrecord();
}

void RecordWriter::begin_subrecord() {
  subrecord_bytes_ = std::min(record_left_, max_subrecord_bytes_);
  subrecord_left_ = subrecord_bytes_;
  record_left_ -= subrecord_bytes_;
  write_marker(subrecord_bytes_, record_left_ > 0);
}

void RecordWriter::end() {
  write_marker(subrecord_bytes_, preceded_);
  preceded_ = true;
}

void RecordWriter::write(const void* source, std::int64_t bytes) {
  const auto* from = static_cast<const char*>(source);
  while (bytes > 0) {
    if (subrecord_left_ == 0) {
      end();
      begin_subrecord();
    }
    const std::int64_t piece = std::min(bytes, subrecord_left_);
    sink_(from, piece);
    from += piece;
    subrecord_left_ -= piece;
    bytes -= piece;
  }
}

std::int64_t RecordWriter::framed_bytes(std::int64_t bytes, std::int64_t max_subrecord_bytes) {
  const std::int64_t subrecords =
      std::max<std::int64_t>(1, bytes / max_subrecord_bytes + (bytes % max_subrecord_bytes != 0));
  return roofline::saturating_sum(bytes,
                                  roofline::saturating_product(subrecords, 2 * marker_bytes));
}

}  // namespace gpp
