#include "cli/doctor/doctor_profiling.h"

#include <fmt/format.h>

#include "roofline/ceilings/measure.h"
#include "roofline/host_counters.h"
#include "roofline/permission.h"
#include "roofline/recorder.h"

namespace gpp {
namespace {

Finding judge_cupti(const roofline::cupti::Status& cupti) {
  if (!cupti.missing.empty())
    return {"cupti", Health::note, "not there: studies go without hardware counters",
            cupti.missing};
  const std::string text = fmt::format("of CUDA {}, {}", cupti.cuda, cupti.path);
  if (!cupti.mismatch.empty()) return {"cupti", Health::problem, text, cupti.mismatch};
  return {"cupti", Health::good, text, ""};
}

Finding judge_permission(const ProfilingFacts& facts) {
  const char* subject = "counter permission";
  if (!facts.restricted)
    return {subject, Health::note, "unknown: no NVIDIA driver is loaded, or it does not say",
            "load the driver; in a container, start it with the GPU (docker run --gpus all)"};
  if (!*facts.restricted) return {subject, Health::good, "every user may read the counters", ""};
  if (facts.administrator)
    return {subject, Health::good, "only administrators may read the counters, and this is one",
            ""};
  return {subject, Health::note,
          "only administrators may read the counters (RmProfilingAdminOnly: 1)",
          "run as root or with CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN); or let an "
          "administrator write 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' into "
          "/etc/modprobe.d/nvidia-profiling.conf and load the driver anew"};
}

Finding judge_dcgm(bool running) {
  if (!running)
    return {"dcgm", Health::good,
            "not seen: nobody else should hold the counters (from a container, the host's cannot "
            "be seen)",
            ""};
  return {"dcgm", Health::note, "nv-hostengine runs and may hold the counters",
          "where counters are refused as busy, pause it while measuring: dcgmi profile --pause, "
          "afterwards dcgmi profile --resume"};
}

}  // namespace

std::vector<Finding> judge(const ProfilingFacts& facts) {
  std::vector<Finding> findings = {judge_cupti(facts.cupti)};
  if (!facts.gpu) return findings;
  if (facts.cupti.missing.empty()) {
    if (facts.unavailable.empty())
      findings.push_back({"recorder", Health::good, "this GPU's counters can be recorded", ""});
    else
      findings.push_back(
          {"recorder", Health::note, "no counters can be recorded here", facts.unavailable});
  }
  findings.push_back(judge_permission(facts));
  findings.push_back(judge_dcgm(facts.dcgm));
  return findings;
}

Finding judge_likwid(const std::string& unavailable) {
  if (unavailable.empty())
    return {"likwid", Health::good, "the processor's counters can be read", ""};
  return {"likwid", Health::note,
          "the processor's counters are not read: work on a host is computed, not counted",
          unavailable};
}

std::vector<Finding> look_at_host_counters() {
  return {judge_likwid(roofline::likwid_counters().unavailable())};
}

std::vector<Finding> look_at_profiling() {
  return judge({roofline::cupti::status(), roofline::cupti_recorder().unavailable(),
                roofline::counters_restricted(), roofline::is_administrator(),
                roofline::dcgm_running(), roofline::gpu_benchmarks().unavailable().empty()});
}

}  // namespace gpp
