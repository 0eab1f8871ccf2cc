// Numbers and texts out of bytes of unknown origin: nothing behind their end is ever touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace roofline {

/// Reads one piece of a file from its front to its end. Whatever does not fit is an InputError that
/// names the file and the byte. The bytes and the name must outlive the reader.
class ByteReader {
 public:
  ByteReader(std::string_view file, std::string_view name_for_messages)
      : file_(file), name_(name_for_messages), end_(file.size()) {}

  /// A piece of the file, given by its place in the whole file.
  ByteReader part(std::uint64_t begin, std::uint64_t size, const std::string& what) const;

  /// A little-endian number without a sign.
  template <class Number>
  Number number() {
    const std::string_view bytes = take(sizeof(Number));
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return static_cast<Number>(value);
  }
  /// Numbers of variable length: LEB128 of the DWARF standard.
  std::uint64_t unsigned_leb();
  std::int64_t signed_leb();
  /// Up to a zero byte, which is taken with it; of `longest` bytes at most.
  std::string_view text();
  std::string_view take(std::uint64_t bytes);

  bool at_end() const { return at_ == end_; }
  std::uint64_t place() const { return at_; }  ///< in bytes from the start of the file
  std::uint64_t left() const { return end_ - at_; }
  [[noreturn]] void refuse(const std::string& what) const;

  static constexpr std::size_t longest = 1 << 16;  ///< of a name or path, in bytes

 private:
  std::string_view file_, name_;
  std::uint64_t at_ = 0, end_ = 0;
};

}  // namespace roofline
