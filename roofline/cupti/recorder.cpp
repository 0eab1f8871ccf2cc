// The recorder, based on CUPTI's host and range profiler API.
//
// The order is: first the CUDA context, then CUPTI, then the work. LLVM's OpenMP runtime calls CUDA
// before main() (llvm-project issues 74507 and 85770), which confuses tools that attach only then.
// Using its context and attaching afterwards works for OpenMP, CUDA and Thrust.
#include "roofline/recorder.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "roofline/cupti/driver.h"
#include "roofline/cupti/functions.h"
#include "roofline/cupti/library.h"
#include "roofline/cupti/listeners.h"
#include "roofline/cupti/pc_sampling.h"
#include "roofline/cupti/sass_metrics.h"
#include "roofline/cupti/session.h"
#include "roofline/line_recorder.h"
#include "roofline/permission.h"

namespace roofline {
namespace cupti {
namespace {

/// log2 of the cycles between two samples: about 60000 samples per millisecond on an H200.
constexpr int sampling_period = 12;

/// The device on which to count, with all requirements checked.
struct Place {
  const Library& library;
  Target target;
};

const Library& fitting_library() {
  const Library& loaded = library();
  const std::string mismatch = version_mismatch(loaded.version, driver_version());
  if (!mismatch.empty()) throw RecorderError(mismatch);
  return loaded;
}

Place find_place() {
  static_cast<void>(library());  // a missing library is reported before a missing driver
  const Target target = current_target();
  return {fitting_library(), target};
}

class CuptiRecorder final : public Recorder {
 private:
  /// Plans the given counters and returns the result of `count`.
  template <class Count>
  auto recorded(const std::vector<std::string>& names, const Count& count) const {
    const std::scoped_lock lock(mutex_);
    const auto& [loaded, target] = find_place();
    const Functions& functions = loaded.functions;
    const Profiling profiling(functions);
    check_device(functions, target.device);
    const std::string chip = chip_name(functions, target.device);
    // Plans are cached: planning is slower than short work, and all variants use the same.
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
    if (work.reset) work.reset();
    const RecordedCode code = sample_instructions(loaded.functions, target.context, sampling_period,
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

class CuptiLineRecorder final : public LineRecorder {
 public:
  // The context comes first, then CUPTI; the profiler, only for counting, precedes the subscriber.
  explicit CuptiLineRecorder(LineMode mode) : target_(current_target()) {
    const Functions& functions = library_.functions;
    if (mode == LineMode::instructions) {
      profiling_.emplace(functions);
      check_device(functions, target_.device);
    }
    modules_.emplace(functions);
  }

  RecordedCode sample(int period, const SampledWork& work) override {
    RecordedCode code =
        sample_instructions(library_.functions, target_.context, period, {work.warm_up, [&work] {
                                                                            work.run();
                                                                            synchronize();
                                                                          }});
    add_modules(code);
    return code;
  }

  RecordedCode count(const std::function<void()>& run) override {
    const Functions& functions = library_.functions;
    RecordedCode code = count_instructions({functions, target_.context, target_.device,
                                            chip_name(functions, target_.device), synchronize},
                                           run);
    add_modules(code);
    return code;
  }

 private:
  void add_modules(RecordedCode& code) const {
    code.cubins = modules_->cubins();
    for (std::string& text : modules_->lost()) code.lost.push_back(std::move(text));
    if (current_context() != target_.context)
      code.lost.emplace_back(
          "the work changed the CUDA context: what ran in the other one is missing");
    if (code.instructions.empty())
      throw RecorderError(
          "CUPTI recorded not one instruction: the work ran on another device or in another "
          "context, or took too little time; choose one GPU for the whole run "
          "(CUDA_VISIBLE_DEVICES), or a larger input");
  }

  const Library& library_ = fitting_library();
  Target target_;
  std::optional<Profiling> profiling_;
  std::optional<Modules> modules_;
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

std::unique_ptr<LineRecorder> attach_line_recorder(LineMode mode) {
  return std::make_unique<cupti::CuptiLineRecorder>(mode);
}

const Recorder& cupti_recorder() {
  static const cupti::CuptiRecorder recorder;
  return recorder;
}

}  // namespace roofline
