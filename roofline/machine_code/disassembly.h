// The machine code of a program's functions, read with nm and objdump of the binutils, and what its
// x86-64 instructions do as far as floating-point work and jumps are concerned.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

struct Instruction {
  std::uint64_t address = 0;  ///< in the file, as nm and objdump count
  std::string mnemonic;       ///< without prefixes: "vmulpd"
  std::string operands;       ///< "(%rax),%zmm1,%zmm2"; of a jump "17a0"
  std::string target;         ///< of a call or jump with a name: "hypot"
  std::string file;           ///< of the source; empty where the program does not tell
  int line = 0;
};

struct Function {
  std::string symbol;  ///< as the linker knows it
  std::uint64_t begin = 0;
  std::uint64_t end = 0;  ///< behind its last byte
};

/// The functions of a program or library with their sizes, by address; empty where it was stripped
/// or nm is missing. `problem` gets the reason.
std::vector<Function> functions_of(const std::filesystem::path& program, std::string& problem);

/// The function that an address lies in, or nullptr.
const Function* function_at(const std::vector<Function>& functions, std::uint64_t address);

/// Its instructions. Empty where objdump is missing or knows the processor's code not; `problem`
/// gets the reason.
std::vector<Instruction> instructions_of(const std::filesystem::path& program,
                                         const Function& function, std::string& problem);

/// Reads what objdump -d -l --no-show-raw-insn prints. Lines that it does not know are passed over.
std::vector<Instruction> parse_objdump(std::string_view text);

/// The address that the operands of a jump name: 0x17a0 for "17a0"; the largest address where they
/// name none.
std::uint64_t address_of(std::string_view operands);

/// A symbol for people: "gpp::omp::power2", without arguments, templates' long names cut.
std::string readable(const std::string& symbol);

/// The floating-point side of an instruction. A comparison, a conversion, a minimum and a move are
/// no floating-point operations in the roofline's sense.
struct FloatingPoint {
  enum class Kind { none, add_or_multiply, fused, divide, square_root };
  Kind kind = Kind::none;
  int bytes_of_element = 0;  ///< 8 or 4
  int bits = 0;              ///< of its vectors: 128, 256 or 512; 0: one number alone, scalar

  int lanes() const { return bits == 0 ? 1 : bits / (8 * bytes_of_element); }
  /// Operations of one execution: a fused multiply-add is two a lane.
  int flop() const { return kind == Kind::none ? 0 : lanes() * (kind == Kind::fused ? 2 : 1); }
};

/// Reads an instruction as objdump writes it (AT&T): "vmulpd", "(%rax),%zmm1,%zmm2". Lanes that a
/// mask switches off count, as they do in Intel's counters.
FloatingPoint floating_point(std::string_view mnemonic, std::string_view operands);

enum class Jump { none, conditional, unconditional, leaves };

/// Whether control goes elsewhere: `leaves` for a return, an indirect jump or a trap.
Jump jump_of(std::string_view mnemonic, std::string_view operands);

}  // namespace roofline
