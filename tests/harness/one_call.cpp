// Runs a variant once for a profiler: Nsight Compute, between the start and end of the CUDA
// profiler (ncu --profile-from-start off), or with --record the recorder. So both count the same
// call after the same warm-up; scripts/validate-recorder compares them. With --hardware the
// recorder omits software counters, which take too long on a large input.
#include <cuda_profiler_api.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "harness/command/options.h"
#include "harness/program/selection.h"
#include "roofline/base/error.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"

namespace gpp {
namespace {

std::vector<std::string> wanted_counters(bool hardware_only) {
  std::vector<std::string> counters = roofline::needed_counters();
  if (hardware_only) std::erase_if(counters, roofline::counted_by_software);
  return counters;
}

Json record(const std::string& variant, const std::function<void()>& call, bool hardware_only) {
  const roofline::Recording recording =
      roofline::cupti_recorder().record(wanted_counters(hardware_only), {variant, call});
  Json missing = Json::object();
  for (const roofline::Missing& one : recording.missing) missing[one.name] = one.reason;
  return {{"variant", variant},
          {"passes", recording.passes},
          {"counters", recording.counters},
          {"missing", missing},
          {"defects", recording.defects}};
}

int run(const std::string& variant, const Wanted& wanted, const SourceRequest& source,
        bool recorded, bool hardware_only) {
  const Choice choice = select_one(wanted.kernel->catalog(), variant, wanted);
  if (choice.build == nullptr || choice.build->kind != "gpu")
    throw roofline::InputError(
        fmt::format("{} does not run on a GPU here: {}", variant, choice.reason));
  const std::unique_ptr<Subject> subject = wanted.kernel->obtain(source);
  const auto placement = subject->place(*choice.build->runtime);
  const auto call = [&] { placement->run(*choice.variant, choice.build->call); };
  call();  // the warm-up
  if (recorded) {
    fmt::print("{}\n", record(variant, call, hardware_only).dump(1));
    return 0;
  }
  cudaProfilerStart();
  call();
  cudaProfilerStop();
  return 0;
}

}  // namespace
}  // namespace gpp

int main(int argc, char** argv) {
  CLI::App program("Runs a variant once under the eyes of a profiler.");
  std::string variant;
  gpp::Wanted wanted;
  gpp::SourceRequest source;
  bool recorded = false;
  bool hardware_only = false;
  program.add_option("variant", variant, "Its id or step")->required();
  gpp::add_model_options(program, wanted);
  gpp::add_source_options(program, source);
  auto* record_flag =
      program.add_flag("--record", recorded, "Count it with the recorder and print JSON");
  program.add_flag("--hardware", hardware_only, "Record only what the hardware counts")
      ->needs(record_flag);
  CLI11_PARSE(program, argc, argv);
  try {
    return gpp::run(variant, wanted, source, recorded, hardware_only);
  } catch (const std::exception& error) {
    fmt::print(stderr, "one_call: {}\n", error.what());
    return 1;
  }
}
