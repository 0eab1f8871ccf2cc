// Reads NVIDIA's cubins: ELF files with machine code for one GPU architecture.
#pragma once

#include <elf.h>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace roofline {

/// Reads a piece of an untrusted file from front to end, and never reads beyond it. Invalid data
/// gives an InputError with the file and the byte. The bytes and the name must outlive the reader.
class ByteReader {
 public:
  ByteReader(std::string_view file, std::string_view name_for_messages)
      : file_(file), name_(name_for_messages), end_(file.size()) {}

  /// A piece of the file, given by its offset in the whole file.
  ByteReader part(std::uint64_t begin, std::uint64_t size, const std::string& what) const;

  /// Reads a number or a struct, little-endian as in this processor.
  template <class Value>
  Value read() {
    static_assert(std::is_trivially_copyable_v<Value> &&
                  std::endian::native == std::endian::little);
    Value value;
    std::memcpy(&value, take(sizeof(Value)).data(), sizeof(Value));
    return value;
  }
  /// Reads a variable-length number, LEB128 of the DWARF standard.
  std::uint64_t unsigned_leb() { return leb(false); }
  std::int64_t signed_leb() { return static_cast<std::int64_t>(leb(true)); }
  /// Reads a text up to and including a zero byte; at most `longest` bytes.
  std::string_view text();
  std::string_view take(std::uint64_t bytes);

  bool at_end() const { return at_ == end_; }
  std::uint64_t place() const { return at_; }  ///< in bytes from the start of the file
  std::uint64_t left() const { return end_ - at_; }
  [[noreturn]] void refuse(const std::string& what) const;

  static constexpr std::size_t longest = 1 << 16;  ///< bytes of a name or path

 private:
  std::uint64_t leb(bool has_sign);

  std::string_view file_, name_;
  std::uint64_t at_ = 0, end_ = 0;
};

/// A place in code: a section, and an offset in bytes. Each kernel has its own section,
/// ".text.<symbol>".
struct CodePlace {
  std::uint32_t section = 0;
  std::uint64_t offset = 0;

  auto operator<=>(const CodePlace&) const = default;
};

struct CodeSymbol {
  std::string_view name;
  CodePlace begin;
  std::uint64_t size = 0;  ///< in bytes, for a kernel including its helper functions
  bool kernel = false;     ///< false: a function that kernels call
};

/// The parts of a cubin that describe its code. The layout is that of the System V ABI (ELF-64,
/// little-endian), chapters 4 and 5, with the machine number EM_CUDA. The bytes and the name must
/// outlive it. Throws InputError for bytes of another format.
class Cubin {
 public:
  Cubin(std::string_view bytes, std::string_view name_for_messages);

  /// The code's compute capability: 90 for 9.0.
  unsigned architecture() const { return architecture_; }
  /// The section with this full name; nothing if it is missing or has no bytes.
  std::optional<ByteReader> section(std::string_view name) const;
  /// The functions with code, in symbol table order.
  std::vector<CodeSymbol> functions() const;
  /// Kernels that launch kernels, by symbol: they call what nvcc 12 and 13 link for that. Where a
  /// function that kernels may call does so, each of them counts.
  std::vector<std::string_view> launching_kernels() const;
  /// Relocations that the linker writes into a section: by the place of the patched bytes in the
  /// file, where in code they point. nvcc 13.0 writes .rela sections for sm_90 and later, .rel ones
  /// before.
  std::map<std::uint64_t, CodePlace> relocations(std::string_view name) const;

 private:
  const Elf64_Shdr* find(std::string_view name) const;
  const Elf64_Shdr* symbol_table() const;
  ByteReader content(const Elf64_Shdr& section) const;

  ByteReader file_;
  unsigned architecture_ = 0;
  std::vector<Elf64_Shdr> sections_;
  ByteReader section_names_;
};

/// A function's symbol in the source. nvcc adds a prefix with the owner to a function's copy in a
/// kernel's section: "$_Z6secondPdd$_Z4awaydd" is "_Z4awaydd", "$__internal_0_$__cuda_sm20_rem_s64"
/// is "__cuda_sm20_rem_s64". Other symbols are returned unchanged.
std::string_view without_owner(std::string_view symbol);

/// The operation of a helper function that NVIDIA's compiler adds behind a kernel: "division",
/// "reciprocal", "square root", "reciprocal square root", "remainder", "power", "argument
/// reduction" (of sine and cosine). For other helpers it is the name without the owner; empty for a
/// symbol that is no helper. These names are undocumented and were observed with nvcc 13.0.
std::string helper_name(std::string_view symbol);

}  // namespace roofline
