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

#include "roofline/cupti/api.h"
#include "roofline/cupti/session.h"
#include "roofline/line_recorder.h"

namespace roofline {
namespace cupti {
namespace {

/// log2 of the cycles between two samples: about 60000 samples per millisecond on an H200.
constexpr int sampling_period = 12;

Target find_target() {
  static_cast<void>(library());  // a missing library is reported before a missing driver
  return current_target();
}

RecordedCode sampled_code(CUcontext context, int period, const SampledWork& work) {
  const std::unique_ptr<CodeWatch> watch = watch_samples(context, period);
  work.warm_up();
  watch->start();
  work.run();
  synchronize();
  return watch->end();
}

class CuptiRecorder final : public Recorder {
 private:
  Recording recorded(const std::vector<std::string>& names, const Work& work, bool apart) const {
    const std::scoped_lock lock(mutex_);
    const Target target = find_target();
    const Profiling profiling;
    check_device(target.device);
    // Plans are cached: planning is slower than short work, and all variants use the same.
    const std::pair key(target.context, names);
    if (!plans_.contains(key))
      plans_[key] = plan(chip_name(target.device), counter_availability(target.context), names);
    return count(target.context, plans_[key], work, apart);
  }

 public:
  std::string unavailable() const override {
    try {
      const Target target = find_target();
      const Profiling profiling;
      check_device(target.device);
      return "";
    } catch (const RecorderError& error) {
      return error.what();
    }
  }

  Recording record(const std::vector<std::string>& names, const Work& work) const override {
    return recorded(names, work, false);
  }

  Recording record_kernels(const std::vector<std::string>& names, const Work& work) const override {
    return recorded(names, work, true);
  }

  Recording sample(const std::vector<std::string>& names, const Work& work) const override {
    const std::scoped_lock lock(mutex_);
    const Target target = find_target();
    if (work.reset) work.reset();
    const RecordedCode code = sampled_code(target.context, sampling_period, {[] {}, work.run});
    if (work.check) work.check();
    return stalls_by_kernel(code, names);
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::pair<CUcontext, std::vector<std::string>>, Plan> plans_;
};

class CuptiLineRecorder final : public LineRecorder {
 public:
  // The context comes first, then CUPTI; the profiler, only for counting, precedes the listener.
  explicit CuptiLineRecorder(LineMode mode) {
    context_ = find_target().context;
    if (mode == LineMode::instructions) {
      profiling_.emplace();
      check_device(current_target().device);
    }
    listener_.emplace(Listener::To::code);
  }

  RecordedCode sample(int period, const SampledWork& work) override {
    return with_cubins(sampled_code(context_, period, work));
  }

  RecordedCode count(const std::function<void()>& run) override {
    const std::unique_ptr<CodeWatch> watch = watch_instructions(context_);
    run();
    return with_cubins(watch->end());
  }

 private:
  RecordedCode with_cubins(RecordedCode code) const {
    const KeptCode kept = listener_->code();
    code.cubins = kept.cubins();
    for (std::string& text : kept.lost()) code.lost.push_back(std::move(text));
    if (code.instructions.empty())
      throw RecorderError(
          "CUPTI recorded not one instruction: the work ran on another device or in another "
          "context, or took too little time; choose one GPU for the whole run "
          "(CUDA_VISIBLE_DEVICES), or a larger input");
    return code;
  }

  CUcontext context_ = nullptr;
  std::optional<Profiling> profiling_;
  std::optional<Listener> listener_;
};

}  // namespace

Status status() {
  try {
    return {library().path, ""};
  } catch (const RecorderError& error) {
    return {"", error.what()};
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
