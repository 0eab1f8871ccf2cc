// Replaces the recorder in builds without CUPTI's headers.
#include "roofline/line_recorder.h"
#include "roofline/permission.h"
#include "roofline/recorder.h"

namespace roofline {
namespace {

constexpr const char* reason =
    "this program was built without CUPTI's headers; install the CUDA toolkit 12.6 or later with "
    "CUPTI (cuda-cupti-dev-13-0) and build again";

class AbsentRecorder final : public Recorder {
 public:
  std::string unavailable() const override { return reason; }
  Recording record(const std::vector<std::string>&, const Work&) const override {
    throw RecorderError(reason);
  }
  KernelRecording record_kernels(const std::vector<std::string>&, const Work&) const override {
    throw RecorderError(reason);
  }
  KernelRecording sample(const std::vector<std::string>&, const Work&) const override {
    throw RecorderError(reason);
  }
};

}  // namespace

cupti::Status cupti::status() { return {"", "", reason, ""}; }

std::unique_ptr<LineRecorder> attach_line_recorder(LineMode /*mode*/) {
  throw RecorderError(reason);
}

const Recorder& cupti_recorder() {
  static const AbsentRecorder recorder;
  return recorder;
}

}  // namespace roofline
