// A recorder under the control of a test.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "roofline/recorder.h"

namespace gpp::test {

/// Runs the work `passes` times and gives every counter the value 100, or what the test wants.
class FakeRecorder : public roofline::Recorder {
 public:
  std::string reason;                       ///< what unavailable() says
  std::string refusal;                      ///< record() throws RecorderError with it
  std::map<std::string, double> values;     ///< other than 100
  std::set<std::string> lacking;            ///< counters that come back as missing
  std::vector<std::string> defects;         ///< of every recording
  std::function<void(int)> on_record = {};  ///< called with the number of the recording, from 1
  int passes = 3;

  std::string unavailable() const override { return reason; }

  roofline::Recording record(const std::vector<std::string>& names,
                             const roofline::Work& work) const override {
    ++recordings;
    if (on_record) on_record(recordings);
    if (!refusal.empty()) throw roofline::RecorderError(refusal);
    roofline::Recording recording;
    for (int pass = 0; pass < passes; ++pass) work.run();
    recording.passes = passes;
    recording.defects = defects;
    for (const std::string& name : names) {
      if (lacking.contains(name)) {
        recording.missing.push_back({name, "this chip has none"});
        continue;
      }
      const auto value = values.find(name);
      recording.counters[name] = value == values.end() ? 100 : value->second;
    }
    return recording;
  }

  mutable int recordings = 0;
};

inline constexpr const char* dadd = "sm__sass_thread_inst_executed_op_dadd_pred_on.sum";
inline constexpr const char* dfma = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";

}  // namespace gpp::test
