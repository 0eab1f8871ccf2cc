// Counts variants that a study has checked and timed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/apart.h"
#include "harness/measure/stage.h"
#include "harness/measure/study.h"

namespace gpp {

/// A variant and its result, which passed.
struct Countable {
  const Variant* variant = nullptr;
  Build build;                   ///< runs where it is called
  const Build* there = nullptr;  ///< runs in its process, where it has one
  Result* result = nullptr;
  Apart* apart = nullptr;  ///< has its process: it is not to be run in this one
};

/// Counts by hardware where that can be, else from the source.
class StudyCounter {
 public:
  /// All outlive it. The problem lies on the stage.
  StudyCounter(Subject& subject, const StudyOptions& options, const StudyEvents& events,
               Stage& stage)
      : subject_(subject), options_(options), events_(events), stage_(stage) {}

  void count(const std::vector<Countable>& all);

 private:
  roofline::Counted counted_on_gpu(const Countable& one);
  roofline::Counted counted_by_hardware(const Countable& one);
  roofline::Counted counted_in_its_process(const Countable& one);
  roofline::Counted counted_on_host(const Countable& one);
  SideStage* slice();
  void tell(const Countable& one) const;
  bool interrupted() const { return events_.interrupted && events_.interrupted(); }

  Subject& subject_;
  const StudyOptions& options_;
  const StudyEvents& events_;
  Stage& stage_;
  std::string part_;                  // what the slice is
  std::unique_ptr<SideStage> slice_;  // for counters kept by software; built when it is needed
};

}  // namespace gpp
