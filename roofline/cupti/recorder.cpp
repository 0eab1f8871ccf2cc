// The recorder on CUPTI's host and range profiler API.
//
// Order: the CUDA context first, then CUPTI, then the work. LLVM's OpenMP runtime calls CUDA before
// main() (llvm-project issues 74507 and 85770), which confuses tools that hook in only then; taking
// its context as it is, and hooking in afterwards, avoids that for OpenMP, CUDA and Thrust alike.
#include "roofline/recorder.h"

#include <map>
#include <mutex>
#include <utility>

#include "roofline/cupti/driver.h"
#include "roofline/cupti/errors.h"
#include "roofline/cupti/library.h"
#include "roofline/cupti/pc_sampling.h"
#include "roofline/cupti/session.h"
#include "roofline/cupti/status.h"

namespace roofline {
namespace cupti {

namespace {

/// log2 of the cycles between two samples: some 60000 samples a millisecond on an H200.
constexpr int sampling_period = 12;

/// The device to count on, and all that must hold before.
struct Place {
  const Library& library;
  Target target;
};

Place find_place() {
  const Library& loaded = library();
  const Target target = current_target();
  const std::string mismatch = version_mismatch(loaded.version, driver_version());
  if (!mismatch.empty()) throw RecorderError(mismatch);
  return {loaded, target};
}

class CuptiRecorder final : public Recorder {
 private:
  /// What `count` gives, with a plan for these counters.
  template <class Count>
  auto recorded(const std::vector<std::string>& names, const Count& count) const {
    const std::scoped_lock lock(mutex_);
    const auto& [loaded, target] = find_place();
    const Functions& functions = loaded.functions;
    const Profiling profiling(functions);
    check_device(functions, target.device);
    const std::string chip = chip_name(functions, target.device);
    // Planning takes longer than many a piece of work, and all variants ask for the same.
    const std::pair key(target.context, names);
    auto known = plans_.find(key);
    if (known == plans_.end()) {
      Plan made = plan(functions, chip, counter_availability(functions, target.context), names);
      known = plans_.emplace(key, std::move(made)).first;
    }
    return count({functions, target.context, synchronize, current_context}, chip, known->second);
  }

 public:
  std::string unavailable() const override {
    try {
      const Place place = find_place();
      const Profiling profiling(place.library.functions);
      check_device(place.library.functions, place.target.device);
      return "";
    } catch (const RecorderError& error) {
      return error.what();
    }
  }

  Recording record(const std::vector<std::string>& names, const Work& work) const override {
    return recorded(names, [&work](const Session& session, const std::string& chip,
                                   const Plan& plan) { return count(session, chip, plan, work); });
  }

  KernelRecording record_kernels(const std::vector<std::string>& names,
                                 const Work& work) const override {
    return recorded(names,
                    [&work](const Session& session, const std::string& chip, const Plan& plan) {
                      return count_kernels(session, chip, plan, work);
                    });
  }

  KernelRecording sample(const std::vector<std::string>& names, const Work& work) const override {
    const std::scoped_lock lock(mutex_);
    const auto& [loaded, target] = find_place();
    expect_line_functions(loaded);
    if (work.reset) work.reset();
    const SampledCode code = sample_instructions(loaded.functions, target.context, sampling_period,
                                                 {[] {},
                                                  [&work] {
                                                    work.run();
                                                    synchronize();
                                                  }});
    if (work.check) work.check();
    return stalls_by_kernel(code, names);
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::pair<CUcontext, std::vector<std::string>>, Plan> plans_;
};

}  // namespace

Status status() {
  try {
    const Library& loaded = library();
    return {loaded.path, cuda_version_of(loaded.version), "",
            version_mismatch(loaded.version, driver_version())};
  } catch (const RecorderError& error) {
    return {"", "", error.what(), ""};
  }
}

}  // namespace cupti

const Recorder& cupti_recorder() {
  static const cupti::CuptiRecorder recorder;
  return recorder;
}

}  // namespace roofline
