// What an x86-64 instruction does, as far as floating-point work is concerned.
#pragma once

#include <string_view>

namespace roofline {

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

/// Of an instruction as objdump writes it (AT&T): "vmulpd", "(%rax),%zmm1,%zmm2". Lanes that a mask
/// switches off count, as they do in Intel's counters.
FloatingPoint floating_point(std::string_view mnemonic, std::string_view operands);

enum class Jump { none, conditional, unconditional, leaves };

/// Whether control goes elsewhere: `leaves` for a return, an indirect jump or a trap.
Jump jump_of(std::string_view mnemonic, std::string_view operands);

}  // namespace roofline
