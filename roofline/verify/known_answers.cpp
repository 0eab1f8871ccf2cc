#include "roofline/verify/known_answers.h"

#include <stdexcept>

namespace roofline::known {
namespace {

/// The tolerance for bytes, because caches keep some and other units move some.
constexpr double of_bytes = 0.02;

std::vector<Answer> bytes_at_each_level(double bytes) {
  return {{"l1_bytes", bytes, of_bytes},
          {"l2_sm_bytes", bytes, of_bytes},
          {"dram_bytes", bytes, of_bytes}};
}

Kernel streaming(const char* name, const char* does, double flop, double bytes) {
  Kernel kernel{name, does, bytes_at_each_level(bytes)};
  kernel.answers.insert(kernel.answers.begin(), {"fp64_flop", flop});
  return kernel;
}

/// A load and a store per thread, with this many sectors per warp.
Kernel strided(const char* name, const char* does, double sectors) {
  constexpr double accesses = 2.0 * strided_blocks * strided_threads / 32;
  return {name,
          does,
          {{"global_instructions", accesses},
           {"global_sectors", accesses * sectors},
           {"shared_instructions", 0}}};
}

/// One warp per block: a store and then loads of shared memory, with this many passes each.
Kernel columns(const char* name, const char* does, double passes) {
  constexpr double accesses = 1.0 * column_blocks * (column_loads + 1);
  return {name,
          does,
          {{"shared_instructions", accesses},
           {"shared_wavefronts", accesses * passes},
           {"shared_bytes", 128 * accesses * passes, of_bytes}}};
}

Kernel tensor(const char* name, const char* does, const char* metric, double depth) {
  return {name, does, {{metric, 2 * 16 * 8 * depth * chain.warp_instructions()}}};
}

std::vector<Kernel> all_kernels() {
  const double n = static_cast<double>(streamed), chained = chain.instructions();
  const double threads = 1.0 * chain.blocks * chain.threads;
  return {
      streaming("known_daxpy", "y += a x, 16 B read and 8 B written an element", 2 * n, 24 * n),
      streaming("known_strided_copy", "every fourth double: a sector read, 8 B written", 0,
                40 * n / 4),
      {"known_dfma",
       "chains of DFMA",
       {{"fp64_flop", 2 * chained}, {"fp64_fma_fraction", 1}, {"fp32_flop", 0}}},
      {"known_ffma", "chains of FFMA", {{"fp32_flop", 2 * chained}, {"fp64_flop", 0}}},
      {"known_hfma2",
       "chains of HFMA2, four operations each",
       {{"fp16_flop", 4 * chained}, {"fp64_flop", 0}}},
      {"known_constants",
       "one DADD a thread; HFMA2 that load constants are no work",
       {{"fp64_flop", threads}, {"fp16_flop", 0}}},
      {"known_dmma",
       "tensor cores, FP64",
       {{"fp64_tensor_flop", 2 * 8 * 8 * 4 * chain.warp_instructions()}, {"fp64_flop", 0}}},
      tensor("known_mma_fp16", "tensor cores, FP16", "fp16_tensor_flop", 16),
      tensor("known_mma_bf16", "tensor cores, BF16", "bf16_tensor_flop", 16),
      tensor("known_mma_tf32", "tensor cores, TF32", "tf32_tensor_flop", 8),
      tensor("known_mma_int8", "tensor cores, INT8", "int8_tensor_op", 32),
      {"known_shared",
       "loads of 8 B from shared memory, each added up",
       {{"shared_bytes", 8 * chained, of_bytes}, {"fp64_flop", chained}, {"fp64_fma_fraction", 0}}},
      strided("known_same_address", "all threads of all warps at one address", 1),
      strided("known_unit_4", "neighbours 4 B apart", 4),
      strided("known_unit_8", "neighbours 8 B apart", 8),
      strided("known_scattered_4", "4 B each, 128 B apart: a sector for each thread", 32),
      strided("known_scattered_8", "8 B each, 256 B apart: a sector for each thread", 32),
      columns("known_banks_apart", "shared memory, 33 numbers apart: no bank conflict", 1),
      columns("known_one_bank", "shared memory, 32 numbers apart: all in one bank", 32),
      {"known_half_off",
       "loads in every second lane: the others' predicate does not hold",
       {{"instructions", chain.warp_instructions(), 0.03},
        {"active_warp_instructions", chain.warp_instructions() / 2, 0.03}}},
  };
}

}  // namespace

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = all_kernels();
  return all;
}

const Kernel& kernel_called(std::string_view name) {
  for (const Kernel& kernel : kernels())
    if (kernel.name == name) return kernel;
  throw std::out_of_range("no kernel of known answers is called " + std::string(name));
}

}  // namespace roofline::known
