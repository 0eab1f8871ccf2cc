#include "cli/doctor/doctor_offload.h"

#include <fmt/format.h>

#include "harness/kernel.h"
#include "harness/program/build_info.h"
#include "runtimes/runtime.h"

namespace gpp {
namespace {

/// The runtime of the OpenMP variants for the GPU; nullptr where this program holds none.
const Runtime* offload_runtime() {
  for (const Variant& variant : kernels().front()->catalog())
    for (const Build& build : variant.builds)
      if (variant.model == "omp" && build.kind == "gpu") return build.runtime;
  return nullptr;
}

}  // namespace

std::vector<Finding> look_at_offload() {
  const Runtime* runtime = offload_runtime();
  if (runtime == nullptr)
    return {{"openmp offload", Health::note, "OpenMP variants run on host threads only",
             std::string(build_info::offload_missing)}};

  std::vector<Finding> findings;
  const std::string built = fmt::format("built for {} with {}, {}", build_info::offload_arch,
                                        build_info::cxx_compiler, build_info::offload_toolkit);
  if (const std::string reason = runtime->unavailable(); reason.empty())
    findings.push_back(
        {"openmp offload", Health::good,
         fmt::format("{}; target regions run on the {}", built, runtime->describe().name), ""});
  else
    findings.push_back({"openmp offload", Health::note, built + "; cannot run here", reason});
  if (build_info::offload_arch.starts_with("gfx"))
    findings.push_back({"openmp offload", Health::note,
                        "AMD: the code is generated and linked, and was never run",
                        "compare its sums with the host's before trusting its times"});
  return findings;
}

}  // namespace gpp
