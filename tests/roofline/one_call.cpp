// Runs a variant once while somebody watches: Nsight Compute, which looks between the start and the
// end of the CUDA profiler (ncu --profile-from-start off), or with --record the recorder. So both
// count the same call, after the same warm-up; scripts/validate-recorder compares them. With
// --hardware the recorder leaves out what software counts, which a large input cannot wait for.
#include <cuda_profiler_api.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpp/study/input_source.h"
#include "harness/measure/options.h"
#include "harness/measure/selection.h"
#include "roofline/base/error.h"
#include "roofline/metrics.h"
#include "roofline/recorder.h"

namespace roofline {
namespace {

std::vector<std::string> wanted_counters(bool hardware_only) {
  std::vector<std::string> counters = roofline::needed_counters();
  if (hardware_only) std::erase_if(counters, roofline::counted_by_software);
  return counters;
}

nlohmann::ordered_json record(const std::string& variant, Placement& placement,
                              VariantFunction function, bool hardware_only) {
  const roofline::Recording recording = roofline::cupti_recorder().record(
      wanted_counters(hardware_only), {variant, [&] { placement.run(function); }});
  nlohmann::ordered_json missing = nlohmann::ordered_json::object();
  for (const roofline::Missing& one : recording.missing) missing[one.name] = one.reason;
  return {{"variant", variant},
          {"passes", recording.passes},
          {"counters", recording.counters},
          {"missing", missing},
          {"defects", recording.defects}};
}

int run(const std::string& variant, const Wanted& wanted, const SourceRequest& source,
        bool recorded, bool hardware_only) {
  const Choice choice = select_one(catalog(), variant, wanted);
  if (choice.build == nullptr || choice.build->device != "gpu")
    throw InputError(fmt::format("{} does not run on a GPU here: {}", variant, choice.reason));
  std::string label;
  const PreparedProblem problem(obtain_input(source, label));
  const auto placement = choice.build->runtime->place(problem);
  placement->run(choice.build->function);  // warm-up
  if (recorded) {
    fmt::print("{}\n", record(variant, *placement, choice.build->function, hardware_only).dump(1));
    return 0;
  }
  cudaProfilerStart();
  placement->run(choice.build->function);
  cudaProfilerStop();
  return 0;
}

}  // namespace
}  // namespace roofline

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
