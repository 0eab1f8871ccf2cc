// NVIDIA's cubins: ELF files with machine code for one GPU architecture, read from their bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "roofline/machine_code/byte_reader.h"

namespace roofline {

/// A place in code: a section, and bytes from its start. Each kernel has a section of its own,
/// ".text.<symbol>".
struct CodePlace {
  std::uint32_t section = 0;
  std::uint64_t offset = 0;

  bool operator<(const CodePlace& other) const {
    return std::tie(section, offset) < std::tie(other.section, other.offset);
  }
};

struct CodeSymbol {
  std::string_view name;
  CodePlace begin;
  std::uint64_t size = 0;  ///< in bytes; of a kernel with the helpers behind its code
};

/// The parts of a cubin that tell where code comes from. The layout is that of the System V ABI
/// (ELF-64, little-endian) with the machine number 190, EM_CUDA. The bytes and the name must
/// outlive it. InputError where the bytes are no such file.
class Cubin {
 public:
  Cubin(std::string_view bytes, std::string_view name_for_messages);

  /// A section by its whole name; nothing where the file has none, or none with bytes.
  std::optional<ByteReader> section(std::string_view name) const;
  /// Functions with code, in the order of the symbol table.
  std::vector<CodeSymbol> functions() const;
  /// What the linker writes into a section: by the place of the patched bytes in the file, where in
  /// code they point. nvcc 13.0 writes .rela sections for sm_90 and later, .rel ones before.
  std::map<std::uint64_t, CodePlace> relocations(std::string_view name) const;

 private:
  struct Section {
    std::uint32_t name = 0, type = 0;
    std::uint64_t flags = 0, begin = 0, size = 0;
    std::uint32_t link = 0, info = 0;
  };
  struct Symbol {
    std::uint32_t name = 0;
    std::uint8_t info = 0;
    CodePlace place;
    std::uint64_t size = 0;
  };

  void read_sections();
  const Section* find(std::string_view name) const;
  ByteReader content(const Section& section) const;
  std::optional<std::uint32_t> symbol_table() const;
  static Symbol read_symbol(ByteReader& from);

  ByteReader file_;
  std::vector<Section> sections_;
  ByteReader section_names_;
};

}  // namespace roofline
