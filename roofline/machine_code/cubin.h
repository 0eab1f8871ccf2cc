// Reads NVIDIA's cubins: ELF files with machine code for one GPU architecture; and tells loads of
// constants from half precision arithmetic in that code.
#pragma once

#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
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

/// How code uses instructions that count as FP16 operations; the highest use counts.
enum class HalfUse {
  none,       ///< no half precision instructions
  constants,  ///< only HFMA2 that loads a constant: -0 * 0 + the constant
  arithmetic  ///< additions, multiplications or conversions
};

/// The use in one instruction, given by the halves of its 128 bits, for a compute capability (90
/// for 9.0). It counts as arithmetic unless it certainly loads a constant.
HalfUse half_use(std::uint64_t low, std::uint64_t high, unsigned architecture);

/// The half precision use of a process's kernels, by demangled name; equal names are combined.
class HalfPrecision {
 public:
  /// Reads a cubin's code. If a callable function has arithmetic, so has every kernel.
  void read(const Cubin& cubin);
  /// How many of `fused`, the threads' HFMA2 in all these kernels, load constants: none or all.
  /// Empty if code is missing, or if it both loads constants and computes.
  std::optional<double> constants(const std::vector<std::string>& kernels, double fused) const;

 private:
  std::map<std::string, HalfUse> kernels_;
};

}  // namespace roofline
