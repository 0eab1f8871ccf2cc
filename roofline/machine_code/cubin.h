// Reads NVIDIA's cubins: ELF files with machine code for one GPU architecture.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace roofline {

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
  std::string_view lines, strings;  ///< .debug_line and .debug_str; empty if missing
  /// By offset in `lines`: the place in code that the linker writes there.
  std::map<std::uint64_t, CodePlace> relocations;
};

/// Reads what describes the code of a cubin. The layout is that of the System V ABI (ELF-64,
/// little-endian), chapters 4 and 5, with the machine number EM_CUDA. The bytes must outlive the
/// result. Throws InputError with the file and the byte for an invalid or truncated cubin.
Cubin read_cubin(std::string_view bytes, std::string_view name_for_messages);

}  // namespace roofline
