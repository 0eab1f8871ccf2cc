// Variants in workers of their own (worker.h), for a study that runs and judges them as if they
// were here.
//
// The problem is placed once, here, in memory that the workers share (shared_memory.h). Before a
// run it is varied there; a run's answer comes back, in the mail and in the outputs.
//
// A worker stands still while it is not asked for anything, with all its threads and children. A
// variant that ends it, crashes or is silent for too long has hurt itself alone: the run throws,
// and says what it did. Where a device has no room for one more, the worker that has waited longest
// is ended and starts again at its turn. So does every worker on a device that takes one process.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/kernel.h"
#include "harness/measure/load.h"
#include "harness/measure/worker.h"

namespace gpp {

class Stage;

struct ApartOptions {
  double longest_run = 0;             ///< seconds of silence after which a worker is ended
  std::function<bool()> interrupted;  ///< true: whoever runs is ended soon; may be empty
  bool copies = false;                ///< the runtime's device does not reach the host's memory
  const roofline::Recorder* recorder = nullptr;  ///< of a worker without a program
};

/// A runtime on which what runs, runs in another process.
class Apart : public Runtime {
 public:
  Apart(const Runtime& real, ApartOptions options);
  ~Apart() override;
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  /// Runs the same build in a worker: the program, where one is named, else a fork of this one. It
  /// starts with the others, or else when it is needed.
  const Build& employ(const Build& build, std::optional<WorkerProgram> program);
  void start_all();
  void end_all();
  /// Whether the build was seen to write to an input: at the moment that it did, or because its
  /// device has another than was placed. Then that input is spoiled here as well, for
  /// Placement::repair to find.
  bool wrote_to_input(const Build& build);
  /// Counts an employed build on the problems of these stages, the whole and a slice, which may
  /// lack. Its answers are judged there. Ends its worker, unless others are to count beside blocks
  /// that wait. No process counts two: in one that has sampled another variant CUPTI takes the
  /// samples for those of no kernel. Throws std::runtime_error.
  roofline::Counted count(const Variant& variant, const Build& build, const CountOrder& order,
                          const std::vector<Stage*>& stages, double tolerance);
  /// What an employed build's worker answers to an order, which has that name. Throws.
  roofline::Message ask(const Build& build, const std::string& order, const char* name);
  /// The next run is done again and again, back to back, for at least so many seconds. The time
  /// that is told is that of all these runs.
  void repeat_next_run(double seconds) { repeat_seconds_ = seconds; }
  int runs() const { return last_.runs; }  ///< that the last one was
  /// CPU seconds that the workers took.
  double cpu_seconds() const;
  /// Whether the last run was ended because somebody interrupted it.
  bool was_interrupted() const { return was_interrupted_; }

  std::string unavailable() const override { return real_.unavailable(); }
  DeviceDescription describe() const override { return real_.describe(); }
  long long free_bytes() const override { return one_at_a_time_ ? 0 : real_.free_bytes(); }
  const DeviceMemory& memory() const override { return memory_; }
  double time(const std::function<void()>& call) const override;
  std::vector<Launch> launches() const override { return last_.launches; }
  /// The device's clock during the last run, and the longest pulse around it.
  Pulse pulse(double seconds) const override;
  std::string device_place() const override { return real_.device_place(); }

 private:
  struct Worker;

  Worker& worker_of(const Build& build);
  void start(Worker& worker);
  long long bytes_of_a_worker() const;
  void make_room_for(const Worker& one);
  void say(Worker& worker, const std::string& message);
  roofline::Message hear(Worker& worker, double seconds);
  /// The answer to the message, which has that name. Throws what went wrong there.
  roofline::Message ask(Worker& worker, const std::string& message, const char* name,
                        double more_seconds = 0);
  void dismiss(Worker& worker, const std::string& why);
  void run(Worker& worker, std::span<const std::byte> problem, std::span<std::byte> answer);

  const Runtime& real_;
  ApartOptions options_;
  SharedMemory memory_;
  std::list<Worker> workers_;
  mutable DoneMessage last_;    // of the last run
  double repeat_seconds_ = 0;   // of the next one
  bool one_at_a_time_ = false;  // the device takes no second process
  long long turns_ = 0;
  double ended_cpu_seconds_ = 0;
  bool was_interrupted_ = false;
};

// ---- A problem ----------------------------------------------------------------------------------

/// One run, and its verdict.
struct Tried {
  double seconds = 0;
  Check check;
  LoadShare load;  ///< where it was measured
};

/// The problem as it is.
inline constexpr std::uint64_t as_it_is = 0;

/// A problem, placed once for each device on which employed builds run it.
class Stage {
 public:
  explicit Stage(const Subject& subject) : subject_(subject) {}

  /// Throws what the runtime throws when the problem does not fit.
  Placement& on(const Runtime& runtime);

  /// Runs and checks on the problem varied by that seed, in the same memory. Where it is asked for,
  /// or where the answer is wrong, a variant that wrote to its input fails with that reason.
  Tried run(const Variant& variant, const Build& build, std::uint64_t seed, double tolerance,
            LoadMeter* load = nullptr, bool looks_at_inputs = false);

  /// Without looking at the answer. The seconds it took. What it throws says whether it wrote to
  /// its input.
  double run_only(const Variant& variant, const Build& build, std::uint64_t seed);

 private:
  /// That it wrote to this input; empty where it wrote to none. All are as placed then.
  std::string writing(const Build& build);

  const Subject& subject_;
  std::map<const Runtime*, std::unique_ptr<Placement>> placements_;
};

// ---- One variant on many inputs, without timing: `gpp check` -----------------------------------

/// A verdict on each input, in order, with an infinite error where the variant gave no answer. It
/// runs twice on each, on the input as it is and varied in the same memory, so that an answer kept
/// from before is wrong. A worker that failed may be damaged, and is replaced before the next
/// input; one that is silent for `limit_s` seconds is ended. Without a program it is a fork. The
/// choice has a build.
std::vector<Check> check_on(const std::vector<CheckInput>& inputs, const Choice& choice,
                            double tolerance, double limit_s,
                            const std::optional<WorkerProgram>& program = {});

}  // namespace gpp
