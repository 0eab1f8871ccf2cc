// Reads NVIDIA's cubins: ELF files with machine code for one GPU architecture.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

namespace roofline {

/// Reads the bytes of a cubin of unknown origin from front to end, and never beyond. What is wrong
/// is an InputError with the file and the byte.
class CubinBytes {
 public:
  CubinBytes(std::string_view all, std::string_view name)
      : all_(all), name_(name), end_(all.size()) {}

  [[noreturn]] void refuse(std::string_view what) const;
  /// So many bytes from a byte of the file on.
  CubinBytes part(std::uint64_t begin, std::uint64_t size) const;
  std::string_view take(std::uint64_t bytes);
  CubinBytes next(std::uint64_t bytes);
  template <class Value>
  Value read() {
    Value value;
    std::memcpy(&value, take(sizeof(Value)).data(), sizeof(Value));
    return value;
  }
  std::uint64_t number(bool has_sign = false);  ///< in LEB128
  std::string_view text();                      ///< up to a zero, which is read, too
  std::size_t at() const { return at_; }        ///< the next byte, counted in the file
  std::string_view rest() const { return all_.substr(at_, end_ - at_); }
  bool at_end() const { return at_ == end_; }

 private:
  std::string_view all_, name_;
  std::size_t at_ = 0, end_;
};

/// A place in code: the number of a section, and an offset in bytes.
struct CodePlace {
  std::uint32_t section = 0;
  std::uint64_t offset = 0;

  auto operator<=>(const CodePlace&) const = default;
};

struct CodeFunction {
  std::string_view name;  ///< its symbol
  CodePlace begin;
  std::uint64_t size = 0;  ///< in bytes, for a kernel including its helper functions
  bool kernel = false;     ///< false: a function that kernels call
  std::string_view code;   ///< of its own section; empty for a function in a kernel's section
};

struct Cubin {
  unsigned architecture = 0;  ///< the code's compute capability: 90 for 9.0
  std::vector<CodeFunction> functions;
  CubinBytes lines, strings;  ///< .debug_line and .debug_str; empty if missing
  /// By the byte of the file in `lines`: the place in code that the linker writes there.
  std::map<std::uint64_t, CodePlace> relocations;
};

/// Reads what describes the code of a cubin. The layout is that of the System V ABI (ELF-64,
/// little-endian), chapters 4 and 5, with the machine number EM_CUDA. The bytes must outlive the
/// result. Throws InputError with the file and the byte for an invalid or truncated cubin.
Cubin read_cubin(std::string_view bytes, std::string_view name_for_messages);

}  // namespace roofline
