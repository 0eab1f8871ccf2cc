// A recorder controlled by a test.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "roofline/recorder.h"
#include "tests/shared.h"

namespace roofline::test {

/// Runs the work `passes` times. Every counter has the value 100, or 0 for operations other than
/// FP64, unless the test sets it.
class FakeRecorder : public Recorder {
 public:
  std::string reason;                       ///< result of unavailable()
  std::string refusal;                      ///< error that record() throws
  std::map<std::string, double> values;     ///< values by counter
  std::set<std::string> lacking;            ///< counters reported as missing
  std::vector<std::string> defects;         ///< defects of every recording
  std::function<void(int)> on_record = {};  ///< called with the recording's number, from 1
  int passes = 3;

  mutable bool running = false;  ///< true during counted work

  std::string unavailable() const override { return reason; }

  Recording record(const std::vector<std::string>& names, const Work& work) const override {
    ++recordings;
    if (on_record) on_record(recordings);
    if (!refusal.empty()) throw RecorderError(refusal);
    Recording recording;
    for (int pass = 0; pass < passes; ++pass) {
      running = true;
      work.run();
      running = false;
      if (work.check) work.check();
    }
    recording.passes = passes;
    recording.defects = defects;
    for (const std::string& name : names) {
      if (lacking.contains(name)) {
        recording.missing.push_back({name, "this chip has none"});
        continue;
      }
      const auto value = values.find(name);
      recording.counters[name] = value == values.end() ? usual(name) : value->second;
    }
    return recording;
  }

  /// All work belongs to one kernel.
  Recording record_kernels(const std::vector<std::string>& names, const Work& work) const override {
    if (!kernel_refusal.empty()) throw RecorderError(kernel_refusal);
    Recording recording = record(names, work);
    recording.kernels.push_back({"kernel", 1, recording.counters});
    return recording;
  }

  /// One sample per reason.
  Recording sample(const std::vector<std::string>& names, const Work& work) const override {
    if (!sampling_refusal.empty()) throw RecorderError(sampling_refusal);
    work.run();
    if (work.check) work.check();
    Recording recording;
    recording.passes = 1;
    recording.kernels.push_back({"kernel", 1, {}});
    for (const std::string& name : names) recording.kernels.front().counters[name] = 1;
    recording.counters = recording.kernels.front().counters;
    return recording;
  }

  std::string kernel_refusal;    ///< error that record_kernels() throws
  std::string sampling_refusal;  ///< error that sample() throws
  int& recordings = shared<int>();

 private:
  static double usual(const std::string& name) {
    for (const char* other : {"_op_f", "_op_h", "tensor"})
      if (name.find(other) != std::string::npos) return 0;
    return 100;
  }
};

inline constexpr const char* dadd = "sm__sass_thread_inst_executed_op_dadd_pred_on.sum";
inline constexpr const char* dfma = "sm__sass_thread_inst_executed_op_dfma_pred_on.sum";

}  // namespace roofline::test
