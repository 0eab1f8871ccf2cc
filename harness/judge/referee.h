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
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/arena.h"
#include "harness/judge/held_player.h"
#include "harness/judge/layers.h"
#include "harness/kernel.h"
#include "harness/measure/load.h"
#include "harness/record/judge.h"
#include "harness/record/timing.h"
#include "roofline/counting.h"

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
  const Layers* layers = nullptr;  ///< the ones that may be used, for tests; null: all
};

/// The thing to be judged: a library, or a step of this program.
struct Contestant {
  std::string variant, step, model;
  std::string kind;               ///< of the device it runs on
  std::filesystem::path library;  ///< empty: the program's own step
  std::string operations = {};    ///< Variant::operations
};

struct Ruling {
  bool passed = false;
  bool foul = false;
  std::string reason;           ///< empty where it passed
  int together = 1;             ///< problems in each timed round
  std::vector<double> samples;  ///< seconds of a problem, in each round
  std::vector<LoadShare> load;
  Stop stop = Stop::none;
  int checks = 0;           ///< answers that were right
  Check check;              ///< the worst
  double round_trip_s = 0;  ///< there and back with an empty player; the times contain it
  Layers layers;            ///< that its device needs; without one of them it has no rank
  JsonObject answer = {};   ///< on the input as it is
  double preparation_seconds = 0;
  roofline::Counted counted = {};  ///< from its source
};
void fields(roofline::Fields& field, Ruling& ruling);

class Referee {
 public:
  /// Makes the inputs. Throws InputError.
  Referee(JudgeRules rules, const Secret& secret);
  ~Referee();
  Referee(const Referee&) = delete;
  Referee& operator=(const Referee&) = delete;

  /// Whatever the submission does becomes a ruling; throws where this machine cannot judge.
  Ruling judge(const Contestant& contestant);
  const Subject& subject() const;
  const Sandbox& sandbox() const { return sandbox_; }

 private:
  struct Match;
  /// An input, and how another one of its sizes is made where the kernel cannot draw.
  struct Input {
    std::string name;
    std::unique_ptr<Subject> base;
    std::optional<SourceRequest> again = {};
    ArenaSize need = {};  // to place it
  };
  struct Asked {
    double seconds = 0;
    LoadShare load;
    bool busy = false;  // the device, after the answer
  };
  /// The layers that this machine grants to the players of a model.
  struct Grants {
    Layers layers;
    ProcessLimits limits;
    bool pid_namespace = true;
    double round_trip = 0;                // seconds
    double pulse = 0, longest_pulse = 0;  // seconds, after an honest kernel's end
  };

  struct Drawn;
  void draw(Match& match, const Input& input, bool as_it_is, Drawn& drawn);
  void settle_what_is_due(const Match& match, const Input& input, Placement& placement);
  const Grants& grants_of(const Contestant& contestant, const Runtime& runtime);
  bool try_grants(const Contestant& contestant, const Runtime& runtime, Grants& grants,
                  std::string& why) const;
  ArenaSize arena_size();
  void play(Match& match);
  void time(Match& match);
  /// With `as_it_is` the problem itself, and not another.
  Asked ask(Match& match, const Input& input, std::size_t count, bool as_it_is = false);
  void judge_answer(Match& match, const Input& input, Placement& placement);
  static bool still_busy(Match& match, double pulse_seconds);
  bool interrupted() const { return rules_.interrupted && rules_.interrupted(); }

  JudgeRules rules_;
  const Secret& secret_;
  Sandbox sandbox_;
  std::vector<Input> inputs_;             // the last is the one that is judged
  std::map<std::string, Grants> grants_;  // by model and kind of device
  LoadMeter load_;
  std::uint64_t draws_ = 0;
  std::set<const Runtime*> held_;  // where the trusted step was held against the reference
};

}  // namespace gpp
