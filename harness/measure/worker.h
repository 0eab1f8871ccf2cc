// The worker of one variant: this program, started anew, which does what the study asks of it. The
// study's side is apart.h. A worker that nobody trusts is a player (harness/judge/player.h): it
// begins alike, and then serves a referee.
//
// The study speaks first, a message a line (child.h); every message is answered by `done` or by a
// failure. Problems and answers go through the mail (shared_memory.h). A worker on a host has the
// study's arrays at the study's addresses. One on a device copies what was placed or changed before
// a run, and puts its own addresses into the problem.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/shared_memory.h"
#include "harness/program/child.h"
#include "harness/program/selection.h"
#include "harness/variant.h"
#include "roofline/ceilings.h"
#include "roofline/counting.h"
#include "roofline/line_recorder.h"
#include "roofline/record/fields.h"
#include "roofline/recorder.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The order to run on the problem in the mail.
struct RunOrder {
  static constexpr const char* name = "run";
  double again_seconds = 0;         ///< once where it is 0, else back to back for at least so long
  std::vector<PlacedPiece> pieces;  ///< all that is placed, for a device
};
void fields(roofline::Fields& field, RunOrder& order);

/// The order to see whether the inputs on the device are as they were placed.
inline constexpr const char* look_order = "look";

/// The answer to these.
struct DoneMessage {
  static constexpr const char* name = "done";
  double seconds = 0;  ///< of a run, or of all that followed each other
  int runs = 1;
  double clock_mhz = 0;          ///< of a device during it; 0: not known, or on a host
  double pulse_seconds = 0;      ///< the longer one of those before and after it (Runtime::pulse)
  std::vector<Launch> launches;  ///< of a run
};
void fields(roofline::Fields& field, DoneMessage& message);

/// A worker says this where it writes to an input on a host, before it crashes, and where it finds
/// that it did on a device.
struct WrittenMessage {
  static constexpr const char* name = "written";
  std::int64_t address = 0;
};
void fields(roofline::Fields& field, WrittenMessage& message);

/// The order to count a variant on the problem of the last run. Answered by roofline::Counted.
struct CountOrder {
  static constexpr const char* name = "count";
  std::string work;       ///< "cuda v7"
  bool all = false;       ///< every counter
  std::string part = {};  ///< of that slice; else empty. The whole is the problem before it
  /// Other than 0: these counters alone, while blocks that wait hold all but so many units, and no
  /// longer than so many seconds (Runtime::beside_waiting_blocks).
  int units = 0;
  double seconds = 0;
  std::vector<std::string> counters = {};
};
void fields(roofline::Fields& field, CountOrder& order);
inline constexpr const char* counted_message = "counted";

/// Tells the study that an answer lies in the mail while the worker counts, of a run on the whole
/// or on the slice. It goes on after the study's verdict, a roofline::Failure whose reason is empty
/// where the answer is right.
inline constexpr const char* judge_whole = "judge_whole";
inline constexpr const char* judge_slice = "judge_slice";
inline constexpr const char* verdict_message = "verdict";

/// The order to say what part of the device the worker got, and its roofs. Answered by a
/// PartMessage.
struct RoofsOrder {
  static constexpr const char* name = "roofs";
  bool wanted = false, fresh = false;
};
void fields(roofline::Fields& field, RoofsOrder& order);
struct PartMessage {
  static constexpr const char* name = "part";
  int units = 0;
  std::optional<roofline::Ceilings> ceilings;
  std::string reason;  ///< why they could not be had
};
void fields(roofline::Fields& field, PartMessage& part);

/// The place of its starter's arrays, and whether the worker's device needs copies.
struct WorkerMemory {
  SharedFile inputs, outputs;
  bool copies = false;
};

/// A program that is to be a worker.
struct WorkerProgram {
  std::string kernel, variant, model, kind;
  int units = 0;  ///< of the device, which it is confined to; 0: all
  /// Lines are sampled or counted in it (lines.h), every 2^period cycles.
  std::optional<roofline::LineMode> lines = {};
  int period = 0;
  std::string player = {};  ///< the order to play, in place of work for a study
  std::string program = "/proc/self/exe";
};

/// This program, for the choice, which has a build.
WorkerProgram program_of(const Kernel& kernel, const Choice& choice, int units = 0);

/// What such a program runs, in this one. Throws std::runtime_error.
std::pair<const Variant*, const Build*> build_of(const WorkerProgram& who);

/// The command that starts it, for a process that has these descriptors; a player has no line, -1.
std::vector<std::string> command_of(const WorkerProgram& program, int line,
                                    const WorkerMemory& memory);
/// Alone in the place of the arguments it tries whether a process starts.
inline constexpr const char* worker_word = "--work";

/// Goes on as that program. Throws where it cannot be started.
[[noreturn]] void become_worker(const WorkerProgram& program, const Line& line,
                                const WorkerMemory& memory);

class VariantWorker {
 public:
  /// `recorder` counts. The memory is mapped.
  VariantWorker(const Runtime& runtime, const Call& call, const roofline::Recorder& recorder,
                Line& line, const WorkerMemory& memory);
  ~VariantWorker();

  /// Does what the study says, until that is a message of this name, for the caller to answer.
  /// Throws where the study has ended; returns then where no name is given.
  void work_until(const char* name = nullptr);
  void say(const std::string& message) const { line_.say(message); }
  /// The seconds that one more run on the last problem takes.
  double run_again() { return timed_call(problem_.as<std::byte>()); }

 private:
  class Copies;

  std::optional<roofline::Message> next();
  void reply(const roofline::Message& message);
  double timed_call(const std::byte* problem);
  void run(const RunOrder& order, DoneMessage& done);
  void call(double again_seconds, DoneMessage& done);
  void post_answer() const;
  roofline::Counted count(const CountOrder& order);
  roofline::Counted count_beside(const CountOrder& order, const roofline::CheckedRun& run);
  std::string verdict(const char* message);

  const Runtime& runtime_;
  const Call& call_;
  const roofline::Recorder& recorder_;
  Line& line_;
  std::byte* mail_;
  std::unique_ptr<Copies> copies_;  // on a device
  DeviceBuffer problem_, answer_;
  double seconds_ = 0;                            // of the last run; 0 where there was none
  std::vector<std::vector<std::byte>> problems_;  // of the last run, and of the one before
};

using Play = void (*)(const WorkerProgram& program, const WorkerMemory& memory);
/// Works, or plays, where the arguments are those of a worker. Returns whether they were.
bool work_if_asked(int argc, const char* const* argv, Play play);

}  // namespace gpp
