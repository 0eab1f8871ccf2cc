// The worker of one variant: this program, started anew, which does what the study asks of it. The
// study's side is apart.h.
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

#include "harness/measure/child.h"
#include "harness/measure/counting.h"
#include "harness/measure/forked.h"
#include "harness/measure/shared_memory.h"
#include "harness/variant.h"
#include "roofline/line_recorder.h"
#include "roofline/record/fields.h"
#include "roofline/recorder.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The order to run on the problem in the mail.
struct CallMessage {
  static constexpr const char* name = "run";
  double again_seconds = 0;         ///< once where it is 0, else back to back for at least so long
  std::vector<PlacedPiece> pieces;  ///< all that is placed, for a device
};
void fields(roofline::Fields& field, CallMessage& message);

/// The order to see whether the inputs on the device are as they were placed.
inline constexpr const char* look_message = "look";
/// The order to keep this problem, to be counted.
inline constexpr const char* keep_message = "keep";

/// The answer to each message.
struct DoneMessage {
  static constexpr const char* name = "done";
  double seconds = 0;  ///< of a run, or of all that followed each other
  int runs = 1;
  double clock_mhz = 0;          ///< of a device during it; 0: not known, or on a host
  double pulse_seconds = 0;      ///< the longer one of those before and after it (Runtime::pulse)
  std::vector<Launch> launches;  ///< of a run
  std::int64_t written = 0;      ///< address in an input that the variant wrote to; 0: none
};
void fields(roofline::Fields& field, DoneMessage& message);

/// A worker on a host says this at the moment that it writes to an input, and crashes.
struct WrittenMessage {
  std::int64_t written = 0;  ///< the address
};
void fields(roofline::Fields& field, WrittenMessage& message);
inline constexpr const char* written_message = "written";

/// The order to count a variant, with the problems that were kept.
struct CountMessage {
  static constexpr const char* name = "count";  ///< answered by a CountedMessage
  std::string variant;                          ///< "cuda v7"
  bool all = false;                             ///< every counter
  std::string part;  ///< empty: there is no slice; else the problem kept last is on it
};
void fields(roofline::Fields& field, CountMessage& message);

/// The order to count what a variant moves while blocks that wait hold all units but so many
/// (PartOfDevice), on the problem of the last run.
struct BesideMessage {
  static constexpr const char* name = "beside";  ///< answered by a BytesMessage
  std::string work;                              ///< its name, for messages
  int units = 0;
  double seconds = 0;                 ///< after which they may wait no longer
  std::vector<std::string> counters;  ///< that are to be read
};
void fields(roofline::Fields& field, BesideMessage& message);
struct BytesMessage {
  static constexpr const char* name = "bytes";
  roofline::Counters counters;
};
void fields(roofline::Fields& field, BytesMessage& message);

/// Tells the study that an answer lies in the mail while the worker counts. It goes on after the
/// study's verdict, a roofline::Failure whose reason is empty where the answer is right.
struct JudgeMessage {
  static constexpr const char* name = "judge";
  bool part = false;  ///< the run was on the slice
};
void fields(roofline::Fields& field, JudgeMessage& message);
inline constexpr const char* verdict_message = "verdict";

/// The place of the study's arrays, and whether the worker's device needs copies.
struct WorkerMemory {
  SharedPlace inputs, outputs;
  bool copies = false;
};

/// A program that is to be a worker.
struct WorkerProgram {
  std::string kernel, variant, model, kind;
  int units = 0;  ///< of the device, which it is confined to; 0: all
  /// Lines are sampled or counted in it (lines.h), every 2^period cycles.
  std::optional<roofline::LineMode> lines = {};
  int period = 0;
  std::string program = "/proc/self/exe";
};

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
  void run(const CallMessage& message, DoneMessage& done);
  void call(const CallMessage& message, DoneMessage& done);
  void run_with_clock(const CallMessage& message, DoneMessage& done);
  void post_answer() const;
  CountedMessage count(const CountMessage& message);
  BytesMessage count_beside(const BesideMessage& message);
  std::string verdict(bool part);

  const Runtime& runtime_;
  const Call& call_;
  const roofline::Recorder& recorder_;
  Line& line_;
  std::byte* mail_;
  std::unique_ptr<Copies> copies_;  // on a device
  DeviceBuffer problem_, answer_;
  double seconds_ = 0;  // of the last run; 0 where there was none
  std::vector<std::vector<std::byte>> kept_;
};

/// Works, where the arguments are those of become_worker. Returns whether they were.
bool work_if_asked(int argc, const char* const* argv);

}  // namespace gpp
