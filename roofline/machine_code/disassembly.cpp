#include "roofline/machine_code/disassembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <utility>

#include "roofline/base/process.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"

namespace roofline {
namespace {

constexpr std::size_t most_bytes = 1 << 20;  // of a function: no loop nest is larger

/// The text of a tool of the binutils; empty, and the reason, where there is none.
std::string output_of(const std::vector<std::string>& command, std::string& problem) {
  Finished done = run_program(command);
  if (done.status == 0) return std::move(done.output);
  problem = done.status == 127
                ? command.front() + " is not here: install binutils"
                : fmt::format("{} failed: {}", command.front(),
                              visible(done.errors.substr(0, done.errors.find('\n'))));
  return {};
}

/// Whether the whole text is such a number.
template <class Number>
bool parse(std::string_view text, Number& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

/// A line of the source is told as "/path/file.cpp:33" or "/path/file.cpp:33 (discriminator 2)".
bool parse_place(std::string_view line, std::string& file, int& number) {
  line = line.substr(0, line.find(" (discriminator"));
  const std::size_t colon = line.rfind(':');
  if (colon == line.npos || colon == 0 || line.find('\t') != line.npos) return false;
  int value = 0;
  if (!parse(line.substr(colon + 1), value, 10)) return false;
  file = line.substr(0, colon);
  number = value;
  return true;
}

bool is_prefix(std::string_view word) {
  constexpr std::array prefixes = {"lock",    "rep",    "repz", "repnz", "bnd",
                                   "notrack", "data16", "cs",   "ds",    "addr32"};
  return word.starts_with('{') || std::ranges::find(prefixes, word) != prefixes.end();
}

/// The name in "call 1a40 <hypot@plt>", without what tells how it is reached.
std::string name_in_brackets(std::string_view text) {
  const std::size_t open = text.find('<');
  const std::size_t close = text.rfind('>');
  if (open == text.npos || close == text.npos || close < open) return {};
  std::string_view name = text.substr(open + 1, close - open - 1);
  return std::string(name.substr(0, name.find_first_of("@+")));
}

bool parse_instruction(std::string_view line, Instruction& instruction) {
  const std::size_t colon = line.find(":\t");
  if (colon == line.npos || !parse(trimmed(line.substr(0, colon)), instruction.address, 16))
    return false;
  std::string_view rest = trimmed(line.substr(colon + 2));
  std::string_view word;
  do {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    word = rest.substr(0, end);
    rest = trimmed(rest.substr(end));
  } while (is_prefix(word) && !rest.empty());
  instruction.mnemonic = word;
  instruction.target = name_in_brackets(rest);
  const bool jumps = word.starts_with('j') || word.starts_with("call");
  instruction.operands =
      trimmed(jumps ? rest.substr(0, rest.find('<')) : rest.substr(0, rest.find('#')));
  return true;
}

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

/// Whether it is the order of operands, "213" and its like, between the stem of a fused instruction
/// and its ending.
bool is_order(std::string_view text) {
  return text.size() == 3 && text.find_first_not_of("123") == text.npos;
}

int widest_register(std::string_view operands) {
  if (operands.find("%zmm") != operands.npos) return 512;
  return operands.find("%ymm") != operands.npos ? 256 : 128;
}

}  // namespace

std::vector<Function> functions_of(const std::filesystem::path& program, std::string& problem) {
  std::istringstream lines(
      output_of({"nm", "--defined-only", "-S", "-n", program.string()}, problem));
  std::vector<Function> functions;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string address, size, kind, symbol;
    if (!(words >> address >> size >> kind >> symbol) || kind.size() != 1 ||
        std::string_view("tTwWi").find(kind[0]) == std::string_view::npos)
      continue;
    Function function{symbol};
    std::uint64_t bytes = 0;
    if (!parse(address, function.begin, 16) || !parse(size, bytes, 16) || bytes > most_bytes)
      continue;
    function.end = function.begin + bytes;
    functions.push_back(std::move(function));
  }
  if (functions.empty() && problem.empty())
    problem = program.string() + " has no symbols: it was stripped";
  return functions;
}

const Function* function_at(const std::vector<Function>& functions, std::uint64_t address) {
  auto after = std::ranges::upper_bound(functions, address, {}, &Function::begin);
  if (after == functions.begin()) return nullptr;
  const Function& before = *std::prev(after);
  return address < before.end ? &before : nullptr;
}

std::vector<Instruction> parse_objdump(std::string_view text) {
  std::vector<Instruction> instructions;
  std::string file;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    Instruction instruction;
    if (parse_instruction(line, instruction)) {
      instruction.file = file;
      instruction.line = number;
      instructions.push_back(std::move(instruction));
    } else {
      parse_place(line, file, number);
    }
  }
  return instructions;
}

std::vector<Instruction> instructions_of(const std::filesystem::path& program,
                                         const Function& function, std::string& problem) {
#ifdef __x86_64__
  const std::string text =
      output_of({"objdump", "-d", "-l", "-w", "--no-show-raw-insn",
                 fmt::format("--start-address={:#x}", function.begin),
                 fmt::format("--stop-address={:#x}", function.end), program.string()},
                problem);
  return parse_objdump(text);
#else
  static_cast<void>(program), static_cast<void>(function);
  problem = "the instructions of this processor are not known, only those of x86-64";
  return {};
#endif
}

std::uint64_t address_of(std::string_view operands) {
  std::uint64_t address = 0;
  return parse(operands, address, 16) ? address : ~std::uint64_t{0};
}

std::string readable(const std::string& symbol) {
  std::string name = demangled(symbol.substr(0, symbol.find('.')));
  constexpr std::string_view nameless = "(anonymous namespace)::";
  for (std::size_t at; (at = name.find(nameless)) != name.npos;) name.erase(at, nameless.size());
  // "gpp::Term<double> gpp::divide<double>(double)" becomes "gpp::divide": no result, no arguments.
  std::string plain_name;
  int depth = 0;
  for (const char letter : name) {
    if (letter == '(' && depth == 0 && !plain_name.ends_with("operator")) break;
    depth += letter == '<' ? 1 : letter == '>' ? -1 : 0;
    if (depth == 0 && letter != '>') plain_name += letter;
  }
  return visible(plain_name.substr(plain_name.find_last_of(' ') + 1));
}

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
