#include "roofline/machine_code/hot_code.h"

#include <algorithm>
#include <map>
#include <set>

#include "roofline/machine_code/disassembly.h"
#include "roofline/machine_code/loops.h"

namespace roofline {
namespace {

constexpr double least_share = 0.05;

void add(const Instruction& instruction, HotLoop& loop) {
  ++loop.instructions;
  if (instruction.mnemonic.starts_with("call") && !instruction.target.empty()) {
    const std::string name = readable(instruction.target);
    if (std::ranges::find(loop.calls, name) == loop.calls.end()) loop.calls.push_back(name);
  }
  const FloatingPoint work = floating_point(instruction.mnemonic, instruction.operands);
  if (work.kind == FloatingPoint::Kind::none) return;
  InstructionMix& mix = work.bytes_of_element == 8 ? loop.fp64 : loop.fp32;
  (work.bits == 0     ? mix.scalar
   : work.bits == 128 ? mix.packed_128
   : work.bits == 256 ? mix.packed_256
                      : mix.packed_512)++;
  mix.divisions += work.kind == FloatingPoint::Kind::divide;
  mix.square_roots += work.kind == FloatingPoint::Kind::square_root;
  mix.flop += work.flop();
}

bool is_source(const Instruction& instruction) {
  return instruction.line > 0 && std::filesystem::path(instruction.file).extension() == ".cpp";
}

void set_place(const Instruction& instruction, HotLoop& hot) {
  hot.file = std::filesystem::path(instruction.file).filename().string();
  hot.line = instruction.line;
}

/// The place of a loop: its first line in a source that is no header. Where all that it does was
/// inlined, what is done just before it stands beside it in the source; else any line tells more
/// than none.
void find_place(const std::vector<Instruction>& code, const Loop& loop, HotLoop& hot) {
  for (const std::size_t i : loop)
    if (is_source(code[i]) && (hot.line == 0 || code[i].line < hot.line)) set_place(code[i], hot);
  for (std::size_t i = *std::ranges::min_element(loop); hot.line == 0 && i-- > 0;)
    if (is_source(code[i])) set_place(code[i], hot);
  for (const std::size_t i : loop)
    if (hot.line == 0 && code[i].line > 0) set_place(code[i], hot);
}

struct Sampled {
  Function function;
  std::map<std::uint64_t, int> at;  // by address
};

std::vector<HotLoop> loops_in(const Sampled& sampled, int samples, std::string& problem) {
  const std::vector<Instruction> code = instructions_of(own_program(), sampled.function, problem);
  const LoopNest nest = loops_of(code);
  std::map<std::size_t, int> hits;  // by loop
  for (std::size_t i = 0; i < code.size(); ++i)
    if (const auto found = sampled.at.find(code[i].address); found != sampled.at.end())
      hits[nest.innermost[i]] += found->second;
  std::vector<HotLoop> hot;
  for (const auto& [index, count] : hits) {
    HotLoop loop;
    loop.share = static_cast<double>(count) / samples;
    if (index == LoopNest::none || loop.share < least_share) continue;
    loop.function = readable(sampled.function.symbol);
    for (const std::size_t i : nest.loops[index]) add(code[i], loop);
    find_place(code, nest.loops[index], loop);
    hot.push_back(std::move(loop));
  }
  return hot;
}

const std::vector<Function>& own_functions(std::string& problem) {
  static std::string why;
  static const std::vector<Function> functions = functions_of(own_program(), why);
  problem = why;
  return functions;
}

template <class Item>
void hottest_first(std::vector<Item>& items) {
  std::ranges::stable_sort(items, std::greater(), &Item::share);
}

const InstructionMix& leading(const HotLoop& loop) {
  return loop.fp32.flop > loop.fp64.flop ? loop.fp32 : loop.fp64;
}

}  // namespace

HotLoop HotCode::all_loops() const {
  HotLoop all;
  const auto add_mix = [](InstructionMix& sum, const InstructionMix& one) {
    for (const auto& [name, count] : instruction_counts) sum.*count += one.*count;
  };
  std::set<std::string> calls;
  for (const HotLoop& loop : loops) {
    if (&loop == hottest()) {
      all.function = loop.function;
      all.file = loop.file;
      all.line = loop.line;
    }
    all.share += loop.share;
    all.instructions += loop.instructions;
    add_mix(all.fp64, loop.fp64);
    add_mix(all.fp32, loop.fp32);
    calls.insert(loop.calls.begin(), loop.calls.end());
  }
  all.calls.assign(calls.begin(), calls.end());
  return all;
}

double HotCode::scalar_share() const {
  double scalar = 0, all = 0;
  for (const HotLoop& loop : loops) {
    const InstructionMix& mix = leading(loop);
    if (mix.all() == 0) continue;
    scalar += loop.share * mix.scalar / mix.all();
    all += loop.share;
  }
  return all > 0 ? scalar / all : -1;
}

HotCode hot_code(const std::vector<SampledAddress>& samples) {
  HotCode code;
  code.samples = static_cast<int>(samples.size());
  if (samples.empty()) {
    code.reason = "no sample was taken: the work was too short";
    return code;
  }
  const std::vector<Function>& functions = own_functions(code.reason);
  std::map<std::uint64_t, Sampled> by_function;
  std::map<std::string, int> by_library;
  for (const SampledAddress& sample : samples) {
    if (sample.module != own_program()) {
      ++by_library[sample.module.empty() ? "the system" : sample.module.filename().string()];
    } else if (const Function* function = function_at(functions, sample.address)) {
      Sampled& sampled = by_function[function->begin];
      sampled.function = *function;
      ++sampled.at[sample.address];
    }
  }
  for (const auto& [begin, sampled] : by_function)
    for (HotLoop& loop : loops_in(sampled, code.samples, code.reason))
      code.loops.push_back(std::move(loop));
  for (const auto& [name, count] : by_library)
    if (const double share = static_cast<double>(count) / code.samples; share >= least_share)
      code.libraries.push_back({name, share});
  hottest_first(code.loops);
  hottest_first(code.libraries);
  if (code.loops.empty() && code.reason.empty())
    code.reason = "no loop took a twentieth of the time";
  if (!code.loops.empty()) code.reason.clear();
  return code;
}

}  // namespace roofline
