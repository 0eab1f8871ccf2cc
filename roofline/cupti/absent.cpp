// Replaces the recorder in builds without CUPTI's headers.
#include "roofline/line_recorder.h"
#include "roofline/recorder.h"

namespace roofline {

cupti::Status cupti::status() { return {"", Recorder().unavailable()}; }

std::unique_ptr<LineRecorder> attach_line_recorder(LineMode /*mode*/) {
  throw RecorderError(Recorder().unavailable());
}

const Recorder& cupti_recorder() {
  static const Recorder none;
  return none;
}

}  // namespace roofline
