// Runs the program `roofline`.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/finished.h"

namespace roofline::test {

namespace fs = std::filesystem;
using nlohmann::json;

inline const std::string samples = GPP_SOURCE_DIR "/tests/roofline/profiles/";
inline const std::string h200_roofs = GPP_SOURCE_DIR "/results/h200/silicon8/study.json";

inline Finished roofline(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ROOFLINE_TOOL);
  return run_program(arguments);
}

/// A kernel in a stored profile: {"launches", "seconds", "fp64": of fused multiply-adds, "dram":
/// bytes}.
struct SampleKernel {
  std::string name;
  int launches = 1;
  double seconds = 1;
  double fp64 = 1e12;
  double dram = 1e12;
};

inline json sample_profile(const std::vector<SampleKernel>& kernels,
                           const std::string& device = "NVIDIA H200") {
  json list = json::array();
  for (const SampleKernel& kernel : kernels)
    list.push_back({{"name", kernel.name},
                    {"launches", kernel.launches},
                    {"seconds", kernel.seconds},
                    {"missing", json::array()},
                    {"counters",
                     {{"sm__sass_thread_inst_executed_op_dadd_pred_on.sum", 0},
                      {"sm__sass_thread_inst_executed_op_dmul_pred_on.sum", 0},
                      {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum", kernel.fp64 / 2},
                      {"dram__bytes.sum", kernel.dram}}},
                    {"notes", json::array()}});
  return {{"roofline_profile", 1},  {"source", "ncu"},
          {"program", "./program"}, {"device", device},
          {"kind", "gpu"},          {"created", "2026-01-02T03:04:05Z"},
          {"kernels", list},        {"ceilings", json::object()},
          {"notes", json::array()}};
}

}  // namespace roofline::test
