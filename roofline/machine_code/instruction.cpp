#include "roofline/machine_code/instruction.h"

#include <array>
#include <utility>

namespace roofline {
namespace {

using Kind = FloatingPoint::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 12> stems = {{
    {"fmaddsub", Kind::fused},
    {"fmsubadd", Kind::fused},
    {"fmadd", Kind::fused},
    {"fmsub", Kind::fused},
    {"fnmadd", Kind::fused},
    {"fnmsub", Kind::fused},
    {"addsub", Kind::add_or_multiply},
    {"add", Kind::add_or_multiply},
    {"sub", Kind::add_or_multiply},
    {"mul", Kind::add_or_multiply},
    {"div", Kind::divide},
    {"sqrt", Kind::square_root},
}};

/// "213" and its like between the stem of a fused instruction and its ending.
bool is_order(std::string_view text) {
  if (text.size() != 3) return false;
  for (const char digit : text)
    if (digit < '1' || digit > '3') return false;
  return true;
}

int widest_register(std::string_view operands) {
  if (operands.find("%zmm") != operands.npos) return 512;
  return operands.find("%ymm") != operands.npos ? 256 : 128;
}

}  // namespace

FloatingPoint floating_point(std::string_view mnemonic, std::string_view operands) {
  if (mnemonic.starts_with('v')) mnemonic.remove_prefix(1);
  for (const auto& [stem, kind] : stems) {
    if (!mnemonic.starts_with(stem)) continue;
    std::string_view rest = mnemonic.substr(stem.size());
    if (kind == Kind::fused && rest.size() == 5 && is_order(rest.substr(0, 3)))
      rest.remove_prefix(3);
    if (rest != "sd" && rest != "ss" && rest != "pd" && rest != "ps") continue;
    return {kind, rest.back() == 'd' ? 8 : 4, rest.front() == 's' ? 0 : widest_register(operands)};
  }
  return {};
}

Jump jump_of(std::string_view mnemonic, std::string_view operands) {
  if (mnemonic.starts_with("ret") || mnemonic == "hlt" || mnemonic.starts_with("ud2"))
    return Jump::leaves;
  if (mnemonic == "jmp" || mnemonic == "jmpq")
    return operands.starts_with('*') ? Jump::leaves : Jump::unconditional;
  if (mnemonic.starts_with('j') || mnemonic.starts_with("loop")) return Jump::conditional;
  return Jump::none;
}

}  // namespace roofline
