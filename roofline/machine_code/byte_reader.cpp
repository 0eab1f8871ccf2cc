#include "roofline/machine_code/byte_reader.h"

#include <fmt/format.h>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace roofline {

void ByteReader::refuse(const std::string& what) const {
  throw InputError(fmt::format(
      "{}: byte {}: {}; make the file anew with nvcc -cubin -lineinfo, or copy it again",
      visible(name_), at_, what));
}

ByteReader ByteReader::part(std::uint64_t begin, std::uint64_t size,
                            const std::string& what) const {
  if (begin > file_.size() || size > file_.size() - begin)
    refuse(fmt::format("{} would lie at byte {} with {} bytes, but the file ends at byte {}", what,
                       begin, size, file_.size()));
  ByteReader piece = *this;
  piece.at_ = begin;
  piece.end_ = begin + size;
  return piece;
}

std::string_view ByteReader::take(std::uint64_t bytes) {
  if (bytes > left()) refuse(fmt::format("{} bytes wanted, but {} are left here", bytes, left()));
  const std::string_view taken = file_.substr(at_, bytes);
  at_ += bytes;
  return taken;
}

std::uint64_t ByteReader::unsigned_leb() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = number<std::uint8_t>();
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  refuse("a number of more than 64 bits");
}

std::int64_t ByteReader::signed_leb() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = number<std::uint8_t>();
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte >= 0x80) continue;
    // The highest bit of the last byte is the sign.
    if ((byte & 0x40) != 0 && shift + 7 < 64) value |= ~std::uint64_t{0} << (shift + 7);
    return static_cast<std::int64_t>(value);
  }
  refuse("a number of more than 64 bits");
}

std::string_view ByteReader::text() {
  const std::string_view rest = file_.substr(at_, left()).substr(0, longest + 1);
  const std::size_t length = rest.find('\0');
  if (length == rest.npos)
    refuse(rest.size() > longest ? fmt::format("a text of more than {} bytes", longest)
                                 : "a text without an end");
  at_ += length + 1;
  return rest.substr(0, length);
}

}  // namespace roofline
