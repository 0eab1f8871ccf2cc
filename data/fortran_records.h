// Fortran unformatted sequential records, as gfortran writes them (GNU Fortran manual, "File format
// of unformatted sequential files"); Intel's and others' are the same.
//
// A record is framed by its length as a 4-byte little-endian integer. One longer than 2^31-9 bytes
// is cut into subrecords, each framed the same way: a leading marker is negative when another
// subrecord follows, a trailing marker is negative when another one went before. LLVM's runtime
// cuts no record below 4 GiB: its markers are unsigned, and both forms are read.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace gpp {

/// A record's number and name for messages.
struct Record {
  int number = 0;            ///< number in the file, from 1
  const char* name = "";     ///< "aqsmtemp"
  const char* content = "";  ///< expected content, such as "ncouls x ngpown complex128"
};

/// Reads the records of a stream one after another: call begin, read or skip all content, then end.
/// Each marker is checked against the expected length and the end of the stream before any content
/// is read. All functions throw InputError.
class RecordReader {
 public:
  /// `name` names the stream in messages. The stream must support seeking.
  RecordReader(std::istream& stream, std::string name);

  void begin(const Record& record, std::int64_t bytes);
  /// Reads the next bytes of content, across subrecords, into `target` unless it is null.
  void read(void* target, std::int64_t bytes);
  void skip(std::int64_t bytes) { read(nullptr, bytes); }
  void end();

  /// Goes back to the first byte.
  void rewind();
  /// Throws unless the stream ends here.
  void expect_end();

  const std::string& name() const { return name_; }

 private:
  void begin_subrecord();
  std::int32_t read_marker(const char* which);
  void require_bytes(std::int64_t bytes, const std::string& of) const;
  void read_raw(void* target, std::int64_t bytes);
  [[noreturn]] void fail(const std::string& what) const;

  std::istream& stream_;
  std::string name_;
  std::int64_t stream_bytes_ = 0;
  std::int64_t position_ = 0;
  Record record_;
  std::int64_t record_bytes_ = 0;
  std::int64_t record_left_ = 0;  ///< bytes of the record that later subrecords hold
  // Of the subrecord.
  std::int64_t marker_at_ = 0;  ///< byte offset of the leading marker
  std::int64_t bytes_ = 0, left_ = 0;
};

/// Takes bytes in the order of a file.
using ByteSink = std::function<void(std::string_view bytes)>;

/// Writes a record of these pieces. Throws std::invalid_argument unless
/// 1 <= max_subrecord_bytes <= 2147483639.
void write_record(const ByteSink& sink, const std::vector<std::string_view>& pieces,
                  std::int64_t max_subrecord_bytes);

/// The bytes that a record takes in the file with its markers. Saturates.
std::int64_t framed_bytes(std::int64_t bytes, std::int64_t max_subrecord_bytes);

}  // namespace gpp
