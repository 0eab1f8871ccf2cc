// One submission before the referee: it is asked for sums that nobody asked for before, timed from
// outside, and each of its answers is checked.
//
// First come the small and awkward inputs, then rounds on the input that is judged. Before each, a
// problem is drawn anew from secret numbers and placed while the player stands still; short
// problems are drawn and asked for several at a time, and their time is the total over their
// number. No code of a submission runs in this process, and nothing that the player sends is
// believed but the bytes of its answers and when they came.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/held_player.h"
#include "harness/kernel.h"
#include "harness/measure/load.h"
#include "harness/record/record.h"
#include "harness/record/secret.h"

namespace gpp {

struct JudgeRules {
  const Kernel* kernel = nullptr;
  SourceRequest source;
  TimingRule timing;                ///< of each submission alone
  std::optional<double> tolerance;  ///< the kernel's own where empty
  bool check_only = false;
  /// Inputs of `gpp check` with at most this much work come first.
  std::int64_t largest_check = 10'000'000;
  double longest_run = 60;            ///< seconds; a submission is then ended
  std::function<bool()> interrupted;  ///< may be empty
  std::function<void(std::string_view what, double share)> progress;  ///< may be empty
  std::set<std::string> unwanted = {};  ///< layers that are not used, for tests
};

/// What is judged: a library that was compiled from what somebody handed in, or a step of this
/// program, which has no library and no hashes.
struct Submission {
  std::string name;       ///< of the file or folder; of a step its id
  Variant variant = {};   ///< of a library without builds
  std::string kind = {};  ///< of the device it runs on
  std::string library = {}, source_sha256 = {}, library_sha256 = {};
};

/// The result's samples are seconds of a problem in each round; its check is the worst.
struct Ruling : Result {
  Submission submission;
  bool foul = false;
  int together = 1;         ///< problems in each timed round
  int checks = 0;           ///< answers that were right
  double round_trip_s = 0;  ///< there and back with an empty player; the times contain it
  Layers layers;            ///< that its device needs; without one of them it has no rank
  int rank = 0;             ///< from 1; 0: none
  std::string no_rank = "it did not pass";  ///< why

  Ruling() { check.max_relative_error = std::numeric_limits<double>::infinity(); }
  bool passed() const { return status == Status::passed; }
};
void fields(roofline::Fields& field, Ruling& ruling);

class Referee {
 public:
  /// Makes the inputs. Throws InputError.
  Referee(JudgeRules rules, const Secret& secret);

  /// Whatever the submission does becomes a ruling; throws where this machine cannot judge.
  Ruling judge(const Submission& submission);
  const Subject& subject() const { return *inputs_.back().base; }
  const Sandbox& sandbox() const { return sandbox_; }

 private:
  struct Match;
  struct Input {
    std::string name;
    std::unique_ptr<Subject> base;
  };
  /// The layers that this machine grants to the players of a model.
  struct Grants {
    Layers layers;
    PlayerStart start = {};               // without a variant
    double round_trip = 0;                // seconds
    double pulse = 0, longest_pulse = 0;  // seconds, after an honest kernel's end
  };

  const Grants& grants_of(const Submission& submission, const Runtime& runtime);
  std::string try_grants(const Runtime& runtime, Grants& grants) const;

  JudgeRules rules_;
  const Secret& secret_;
  Sandbox sandbox_;
  std::vector<Input> inputs_;             // the last is the one that is judged
  MemorySizes need_, size_;               // of that one; of all, and of many short ones
  std::map<std::string, Grants> grants_;  // by model and kind of device
  LoadMeter load_;
  std::uint64_t draws_ = 0;
  std::set<const Runtime*> held_;  // where the trusted step was held against the reference
};

}  // namespace gpp
