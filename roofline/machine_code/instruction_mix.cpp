#include "roofline/machine_code/instruction_mix.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <vector>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace roofline {
namespace {

struct Function {
  std::uint64_t begin = 0, bytes = 0;
  char kind = 0;  ///< as printed by nm: 't' local to the file, 'W' template
};

/// The functions of a file, by symbol.
std::map<std::string, Function> functions_in(const std::string& file) {
  std::map<std::string, Function> functions;
  std::istringstream lines(run_program({"nm", "--defined-only", "-S", file}).output);
  for (std::string line, symbol; std::getline(lines, line);) {
    Function one;
    if (std::istringstream(line) >> std::hex >> one.begin >> one.bytes >> one.kind >> symbol)
      functions[symbol] = one;
  }
  return functions;
}

void count(const std::string& line, InstructionMix& mix) {
  static const Pattern arithmetic(
      R"(\tv?(?:(?:fn?m(?:add|sub)|fmaddsub|fmsubadd)\d*|addsub|add|sub|mul|(div)|(sqrt))([sp])[sd] )");
  const auto found = arithmetic.first(line);
  if (!found) return;
  const bool has_zmm = line.find("%zmm") != line.npos, has_ymm = line.find("%ymm") != line.npos;
  int& packed = has_zmm ? mix.packed_512 : has_ymm ? mix.packed_256 : mix.packed_128;
  ++((*found)[3] == "s" ? mix.scalar : packed);
  mix.divisions += (*found)[1].empty() ? 0 : 1;
  mix.square_roots += (*found)[2].empty() ? 0 : 1;
}

}  // namespace

double InstructionMix::scalar_share() const {
  const int numbers = scalar + 2 * packed_128 + 4 * packed_256 + 8 * packed_512;
  return numbers == 0 ? -1 : static_cast<double>(scalar) / numbers;
}

InstructionMix instruction_mix(const void* function) {
  InstructionMix mix;
  mix.reason = "no symbol tells what it is: binutils are missing, or the file was stripped";
  Dl_info info{};
  link_map* module = nullptr;
  if (dladdr1(function, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) == 0) return mix;
  const std::string own = fmt::format("/proc/{}/exe", getpid()), library = module->l_name;
  const std::string& file = library.empty() ? own : library;
  const auto functions = functions_in(file);
  std::set<std::string> known;
  std::vector<Function> open;
  const std::uint64_t begin = reinterpret_cast<std::uintptr_t>(function) - module->l_addr;
  for (const auto& [symbol, one] : functions)
    if (one.begin == begin && std::string("tTwW").find(one.kind) != symbol.npos) open = {one};
  if (!open.empty()) mix.reason.clear();
  static const Pattern of_runtimes("_.*|GOMP_.*|omp_.*"),
      reference(R"(\t.*<(\w[^@+>]*)(@[^>]*)?>$)");
  while (!open.empty() && known.size() < 64) {  // limit: a search past a throw could go far
    const Function one = open.back();
    open.pop_back();
    std::istringstream lines(
        run_program({"objdump", "-d", "-w", "--no-show-raw-insn",
                     fmt::format("--start-address={}", one.begin),
                     fmt::format("--stop-address={}", one.begin + one.bytes), file})
            .output);
    for (std::string line; std::getline(lines, line);) {
      count(line, mix);
      const auto found = reference.first(line);
      if (!found) continue;
      const std::string& name = (*found)[1];
      if (!(*found)[2].empty() && !of_runtimes.whole(name)) mix.calls.insert(name);
      const auto other = functions.find(name);
      if (other != functions.end() && std::string("tW").find(other->second.kind) != name.npos &&
          known.insert(name).second)
        open.push_back(other->second);
    }
  }
  return mix;
}

}  // namespace roofline
