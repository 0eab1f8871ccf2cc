// The line tables of compilers, .debug_line: which instruction comes from which line.
//
// The format is that of the DWARF Debugging Information Format, versions 2 (1993), 3 (2005) and 4
// (2010), section 6.2; nvcc 13.0 writes version 2. NVIDIA adds two extended opcodes for inlined
// calls. They are in no standard; elfutils 0.186 (2021) names them DW_LNE_NVIDIA_inlined_call
// (0x90) and DW_LNE_NVIDIA_set_function_name (0x91). What they carry is what PTX says with `.loc
// ... function_name ..., inlined_at ...` (PTX ISA, debugging directives, since version 7.2).
// Observed in the output of nvcc 13.0: 0x90 has two unsigned LEB128 numbers, the caller's row,
// counted from 1 in the same sequence (0: none), and the place of the inlined function's name in
// .debug_str.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "roofline/machine_code/byte_reader.h"
#include "roofline/machine_code/cubin.h"

namespace roofline {

/// From this instruction on, up to the next row's, code comes from this line.
struct LineRow {
  static constexpr std::uint32_t no_name = 0xffffffff;

  std::uint64_t address = 0;     ///< in bytes from the start of the section
  std::uint32_t file = 1;        ///< counted from 1
  std::uint32_t line = 1;        ///< 0: the compiler names none
  std::uint32_t caller = 0;      ///< row of the inlined call, counted from 1; 0: not inlined
  std::uint32_t name = no_name;  ///< of the inlined function: a place in .debug_str
};

/// Rows of one piece of code, by address.
struct LineSequence {
  std::uint32_t section = 0;
  std::uint64_t end = 0;  ///< behind its last instruction, in bytes from the start of the section
  std::vector<LineRow> rows;
};

struct LineFile {
  std::uint64_t folder = 0;  ///< counted from 1; 0: the compiler's working folder
  std::string name;
};

/// What the compiler wrote for one source.
struct LineUnit {
  std::vector<std::string> folders;
  std::vector<LineFile> files;
  std::vector<LineSequence> sequences;
  std::string problem;  ///< why it, or a part of it, was passed over; empty where it was not

  /// The whole path as the compiler wrote it; empty where the number is none of a file.
  std::string path(std::uint32_t file) const;
  /// Whether a row points to the name of an inlined function.
  bool names_functions() const;
};

/// Reads the units of a .debug_line section. `relocations` tells in which section a sequence lies.
/// InputError where the bytes are no line table.
std::vector<LineUnit> read_line_units(ByteReader section,
                                      const std::map<std::uint64_t, CodePlace>& relocations);

}  // namespace roofline
