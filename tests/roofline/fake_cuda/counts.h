// Exact counts and times of the fake kernels, so that sums can be tested. The number in a kernel's
// name is its size: "k3" does three times the work of "k1".
#pragma once

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>

namespace fake {

inline double size_of(const std::string& kernel) {
  const std::size_t digits = kernel.find_last_not_of("0123456789") + 1;
  return digits < kernel.size() ? std::atof(kernel.c_str() + digits) : 1;
}

inline std::uint64_t nanoseconds_of(const std::string& kernel) {
  return 1000 * static_cast<std::uint64_t>(size_of(kernel));
}

/// Counts of a kernel of size 1, for all counters of the chip. Never destroyed, because the last
/// launches are counted at program exit.
inline const std::map<std::string, double>& counters() {
  static const auto& all = *new std::map<std::string, double>{
      {"dram__bytes.sum", 6400},
      {"lts__t_sectors_srcunit_tex.sum", 400},
      {"l1tex__t_bytes.sum", 25600},
      {"l1tex__m_xbar2l1tex_read_bytes_mem_global_op_tma_ld.sum", 3200},
      {"l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_st.sum", 320},
      {"l1tex__m_l1tex2xbar_write_bytes_mem_global_op_tma_red.sum", 32},
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", 10},
      {"sm__inst_executed_pipe_tensor.sum", 8},
      {"sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum", 5},
      {"sm__ops_path_tensor_src_fp64.sum", 64},
      {"sm__ops_path_tensor_src_fp16.sum", 4096},
      {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 2048},
      {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", 1024},
      {"sm__ops_path_tensor_src_fp8.sum", 512},
      {"sm__ops_path_tensor_src_int8.sum", 256},
      {"sm__sass_thread_inst_executed_op_dadd_pred_on.sum", 100},
      {"sm__sass_thread_inst_executed_op_dmul_pred_on.sum", 10},
      {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum", 1000},
      {"sm__sass_thread_inst_executed_op_fadd_pred_on.sum", 20},
      {"sm__sass_thread_inst_executed_op_fmul_pred_on.sum", 2},
      {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 200},
      {"sm__sass_thread_inst_executed_op_hadd_pred_on.sum", 0},
      {"sm__sass_thread_inst_executed_op_hmul_pred_on.sum", 0},
      {"sm__sass_thread_inst_executed_op_hfma_pred_on.sum", 0},
      {"smsp__sass_inst_executed.sum", 300},
      {"smsp__sass_thread_inst_executed_pred_on.sum", 4800},
      {"smsp__sass_inst_executed_op_global_ld.sum", 40},
      {"smsp__sass_inst_executed_op_global_st.sum", 10},
      {"smsp__sass_inst_executed_op_shared_ld.sum", 20},
      {"smsp__sass_inst_executed_op_shared_st.sum", 5},
      {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", 320},
      {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum", 80},
      {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_ld.sum", 0},
      {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_local_op_st.sum", 0},
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 640},
      {"smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 160}};
  return all;
}

inline bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

/// Kernels called "tensor" use the tensor cores, those called "hfma2" only seem to; "bulk" ones
/// copy in bulk, "nan" ones have no number for DRAM.
inline double count_of(const std::string& kernel, const std::string& counter) {
  const double count = counters().at(counter) * size_of(kernel);
  if (counter == "dram__bytes.sum" && has(kernel, "nan"))
    return std::numeric_limits<double>::quiet_NaN();
  if (has(counter, "_op_tma_")) return has(kernel, "bulk") ? count : 0;
  if (has(counter, "_type_hfma2")) return has(kernel, "hfma2") ? count : 0;
  if (counter == "sm__inst_executed_pipe_tensor.sum" && has(kernel, "hfma2"))
    return count_of(kernel, "sm__inst_executed_pipe_tensor_op_hmma_type_hfma2.sum");
  if (has(counter, "tensor")) return has(kernel, "tensor") ? count : 0;
  return count;
}

/// Counters of tensor core operations need many passes, all others fit into one.
inline bool takes_many_passes(const std::string& counter) { return has(counter, "_ops_path_"); }
constexpr int many_passes = 9;

}  // namespace fake
