// Variants in workers of their own (worker.h), for a study that runs and judges them as if they
// were here.
//
// The problem is placed once, here, in memory that the workers share (shared_memory.h). Before a
// run it is varied there; a run's answer comes back, in the mail and in the outputs.
//
// A worker stands still while it is not asked for anything, with all its threads and children. A
// variant that ends it, crashes or is silent for too long has hurt itself alone: the run throws,
// and says what it did. Where a device has no room for one more, the worker that has waited longest
// is ended and starts again at its turn.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/measure/worker.h"
#include "roofline/counting.h"

namespace gpp {

struct ApartOptions {
  double longest_run = 0;             ///< seconds of silence after which a worker is ended
  std::function<bool()> interrupted;  ///< true: whoever runs is ended soon; may be empty
  bool copies = false;                ///< the runtime's device does not reach the host's memory
  const roofline::Recorder* recorder = nullptr;  ///< of a worker without a program
};

/// A problem to count on: runs it by the build's call, and judges the answer that a call gives.
struct CountedRun {
  std::function<void()> run;
  std::function<std::string(const Call& given)> judge;  ///< what is wrong with it; empty: nothing
};

/// A runtime on which what runs, runs in another process.
class Apart : public Runtime {
 public:
  Apart(const Runtime& real, ApartOptions options);
  ~Apart() override;
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  /// Runs the same build in a worker: the program, where one is named, else a fork of this one. Its
  /// call does nothing until start_all().
  const Build& employ(const Build& build, std::optional<WorkerProgram> program = {});
  void start_all();
  void end_all();
  /// Whether the build was seen to write to an input: at the moment that it did, or because its
  /// device has another than was placed. Then that input is spoiled here as well, for
  /// Placement::repair to find.
  bool wrote_to_input(const Build& build);
  /// Counts an employed build by hardware, on the whole and on a slice, which may lack, and ends
  /// its worker. No process counts two: in one that has sampled another variant CUPTI takes the
  /// samples for those of no kernel. Throws std::runtime_error.
  roofline::Counted count(const Build& build, const CountMessage& message,
                          const std::vector<CountedRun>& runs);
  /// Counts what an employed build moves beside blocks that wait. Throws std::runtime_error.
  roofline::Counters count_beside(const Build& build, const BesideMessage& message,
                                  const CountedRun& run);
  /// What an employed build's worker answers to an order, which has that name. Throws.
  roofline::Message ask(const Build& build, const std::string& order, const char* name);
  /// The next run is done again and again, back to back, for at least so many seconds. The time
  /// that is told is that of all these runs.
  void repeat_next_run(double seconds) { repeat_seconds_ = seconds; }
  int runs() const { return runs_; }  ///< that the last one was
  /// CPU seconds that the workers took.
  double cpu_seconds() const;
  /// Whether the last run was ended because somebody interrupted it.
  bool was_interrupted() const { return was_interrupted_; }

  std::string unavailable() const override { return real_.unavailable(); }
  DeviceDescription describe() const override { return real_.describe(); }
  long long free_bytes() const override { return real_.free_bytes(); }
  const DeviceMemory& memory() const override { return memory_; }
  double time(const std::function<void()>& call) const override;
  std::vector<Launch> launches() const override { return launches_; }
  /// The device's clock during the last run, and the longest pulse around it.
  Pulse pulse(double seconds) const override {
    return options_.copies && told_ ? pulse_ : real_.pulse(seconds);
  }
  std::string device_place() const override { return real_.device_place(); }

 private:
  struct Worker;

  Worker& worker_of(const Build& build);
  void start(Worker& worker);
  long long bytes_of_a_worker() const;
  void make_room_for(const Worker& one);
  static void say(const Worker& worker, const std::string& message);
  roofline::Message hear(Worker& worker, double seconds);
  /// The answer to the message, which has that name. Throws what went wrong there.
  roofline::Message answer_to(Worker& worker, const std::string& message, const char* name,
                              double more_seconds = 0);
  DoneMessage ask(Worker& worker, const std::string& message, double more_seconds = 0);
  void dismiss(Worker& worker, const std::string& why);
  void run(Worker& worker, std::span<const std::byte> problem, std::span<std::byte> answer);
  /// Says it, judges every answer that the worker asks about, and returns what it found.
  roofline::Message count_there(Worker& worker, const std::string& message,
                                const std::vector<CountedRun>& runs);
  std::string judge(const Worker& worker, const CountedRun& run) const;

  const Runtime& real_;
  ApartOptions options_;
  SharedMemory memory_;
  std::list<Worker> workers_;
  mutable std::optional<double> told_;  // seconds of the run that a worker just did
  std::vector<Launch> launches_;        // of that run
  Pulse pulse_;                         // around it
  double repeat_seconds_ = 0;           // of the next run
  int runs_ = 1;
  long long turns_ = 0;
  double ended_cpu_seconds_ = 0;
  bool was_interrupted_ = false;
};

}  // namespace gpp
