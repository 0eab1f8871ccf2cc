#include "roofline/line_recorder.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "roofline/cupti/driver.h"
#include "roofline/cupti/library.h"
#include "roofline/cupti/modules.h"
#include "roofline/cupti/pc_sampling.h"
#include "roofline/cupti/sass_metrics.h"
#include "roofline/cupti/session.h"

namespace roofline {
namespace cupti {
namespace {

const Library& library_for_lines() {
  const Library& loaded = library();
  expect_line_functions(loaded);
  if (std::string mismatch = version_mismatch(loaded.version, driver_version()); !mismatch.empty())
    throw RecorderError(mismatch);
  return loaded;
}

class CuptiLineRecorder final : public LineRecorder {
 public:
  // The context first, then CUPTI. The profiler is for counting alone, and before the subscriber.
  explicit CuptiLineRecorder(LineMode mode) : target_(current_target()) {
    const Functions& functions = library_.functions;
    if (mode == LineMode::instructions) {
      profiling_.emplace(functions);
      check_device(functions, target_.device);
    }
    modules_.emplace(functions);
  }

  SampledCode sample(int period, const SampledWork& work) override {
    SampledCode code =
        sample_instructions(library_.functions, target_.context, period, {work.warm_up, [&work] {
                                                                            work.run();
                                                                            synchronize();
                                                                          }});
    add_modules(code);
    return code;
  }

  CountedCode count(const std::function<void()>& run) override {
    const Functions& functions = library_.functions;
    CountedCode code = count_instructions({functions, target_.context, target_.device,
                                           chip_name(functions, target_.device), synchronize},
                                          run);
    add_modules(code);
    return code;
  }

 private:
  template <class Code>
  void add_modules(Code& code) const {
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

  const Library& library_ = library_for_lines();
  Target target_;
  std::optional<Profiling> profiling_;
  std::optional<Modules> modules_;
};

}  // namespace
}  // namespace cupti

std::unique_ptr<LineRecorder> attach_line_recorder(LineMode mode) {
  return std::make_unique<cupti::CuptiLineRecorder>(mode);
}

}  // namespace roofline
