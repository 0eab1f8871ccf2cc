#include "data/foreign_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace gpp {
namespace {

constexpr std::int32_t first_record_bytes = 20;
constexpr std::int32_t first_record_bytes_of_wide_integers = 40;

template <class Integer>
std::optional<Integer> integer_at(std::string_view head, std::size_t byte) {
  if (head.size() < byte + sizeof(Integer)) return {};
  Integer value;
  std::memcpy(&value, head.data() + byte, sizeof(Integer));
  return value;
}

std::string reversed(std::string_view bytes) { return {bytes.rbegin(), bytes.rend()}; }

bool looks_like_text(std::string_view head) {
  return std::all_of(head.begin(), head.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7f : byte == '\t' || byte == '\n' || byte == '\r';
  });
}

/// The name of the program that unpacks the file; empty if no known packer made it.
std::string unpacker(std::string_view head) {
  using namespace std::string_view_literals;
  for (const auto& [magic, program] : {std::pair("\x1f\x8b"sv, "gunzip"),
                                       {"\3757zXZ"sv, "unxz"},
                                       {"BZh"sv, "bunzip2"},
                                       {"PK\x03\x04"sv, "unzip"},
                                       {"\x28\xb5\x2f\xfd"sv, "unzstd"}})
    if (head.starts_with(magic)) return program;
  return {};
}

/// True if record 1 lies between two 8-byte markers, or the file ends before the second one.
bool has_wide_markers(std::string_view head) {
  const auto leading = integer_at<std::int64_t>(head, 0);
  const auto trailing = integer_at<std::int64_t>(head, sizeof(std::int64_t) + first_record_bytes);
  return leading == first_record_bytes && trailing.value_or(first_record_bytes) == *leading;
}

}  // namespace

std::string foreign_format(std::string_view head) {
  if (head.empty())
    return "the file is empty. Copy it again from its source, or generate it again.";
  if (const std::string program = unpacker(head); !program.empty())
    return fmt::format("the file is compressed. Unpack it first, with {}.", program);
  if (looks_like_text(head))
    return "this is a text file, not a gpp214 file. Name a binary gpp214 file (see "
           "data/README.md).";
  const auto marker = integer_at<std::int32_t>(head, 0);
  if (!marker) return {};  // the record reader reports where the file ends
  if (has_wide_markers(head))
    return "its record markers take 8 bytes, a gpp214 file's take 4. Write it again without "
           "-frecord-marker=8.";
  if (integer_at<std::int32_t>(reversed(head.substr(0, 4)), 0) == first_record_bytes ||
      integer_at<std::int64_t>(reversed(head.substr(0, 8)), 0) == first_record_bytes)
    return "the file is big endian, a gpp214 file is little endian. Write it again without "
           "-fconvert=big-endian (or GFORTRAN_CONVERT_UNIT, F_UFMTENDIAN), or on a little-endian "
           "machine.";
  if (*marker == first_record_bytes_of_wide_integers)
    return "its integers take 8 bytes, a gpp214 file's take 4. Write it again without "
           "-fdefault-integer-8 or -i8.";
  const bool split = *marker < 0 && *marker > -first_record_bytes;
  if (*marker == first_record_bytes || split) return {};
  return fmt::format(
      "the file does not begin with the marker of record 1: its first 4 bytes are {}, "
      "but must be {}. This is not a gpp214 file, or its beginning is lost.",
      *marker, first_record_bytes);
}

}  // namespace gpp
