#include "roofline/trace/work.h"

#include <algorithm>

namespace roofline {
namespace {

constexpr std::string_view begins_block = "__sanitizer_cov_trace_pc";

/// Whether a called function does arithmetic that is not counted where it stands: none of the
/// library itself, of the trace, of OpenMP's runtime, and none that only moves bytes.
bool is_counted_call(const std::string& called, const std::set<std::string>& own) {
  return !own.contains(called) && !called.starts_with("__tsan") && !called.starts_with("GOMP_") &&
         !called.starts_with("omp_") && !called.starts_with("__kmpc") &&
         !called.starts_with("mem") && !called.starts_with("__stack_chk") &&
         !called.starts_with("_Unwind") && !called.starts_with("__cxa");
}

void add(const Instruction& instruction, double times, const std::set<std::string>& own,
         TracedWork& work) {
  const FloatingPoint does = floating_point(instruction.mnemonic, instruction.operands);
  (does.bytes_of_element == 4 ? work.fp32_flop : work.fp64_flop) += times * does.flop();
  if (does.kind == FloatingPoint::Kind::divide) work.divisions += times * does.lanes();
  if (!instruction.mnemonic.starts_with("call") || instruction.target.empty()) return;
  if (!is_counted_call(instruction.target, own)) return;
  work.calls[readable(instruction.target)] += times;
  if (instruction.target == "hypot") work.fp64_flop += 4 * times;
  if (instruction.target == "sqrt") work.fp64_flop += times;
}

/// The blocks in one function. Those counted are at `from` to before `to`.
template <class Place>
void add_function(const std::vector<Instruction>& code, Place from, Place to,
                  const std::set<std::string>& own, TracedWork& work) {
  for (; from != to; ++from) {
    auto at = std::ranges::lower_bound(code, from->first, {}, &Instruction::address);
    for (; at != code.end() && at->target != begins_block; ++at)
      add(*at, static_cast<double>(from->second), own, work);
  }
}

}  // namespace

void TracedCode::read_functions() {
  if (!functions_.empty() || !problem_.empty()) return;
  functions_ = functions_of(file_, problem_);
  for (const Function& function : functions_) own_.insert(function.symbol);
}

const std::vector<Instruction>& TracedCode::instructions(const Function& function,
                                                         std::string& problem) {
  const auto [place, is_new] = instructions_.try_emplace(function.begin);
  if (is_new) place->second = instructions_of(file_, function, problem);
  return place->second;
}

TracedWork TracedCode::work_of(const std::map<std::uint64_t, std::uint64_t>& blocks) {
  read_functions();
  TracedWork work;
  work.reason = problem_;
  for (auto block = blocks.begin(); block != blocks.end() && work.reason.empty();) {
    const Function* function = function_at(functions_, block->first);
    if (function == nullptr) {
      ++block;
      continue;
    }
    const auto end = blocks.lower_bound(function->end);
    add_function(instructions(*function, work.reason), block, end, own_, work);
    block = end;
  }
  return work;
}

}  // namespace roofline
