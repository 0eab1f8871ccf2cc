// Variants in processes of their own, for a study that runs and judges them as if they were here.
//
// The problem is placed once, here. Each variant's process is a fork of this one (forked.h): it
// shares what was placed until one side writes. Before a run it gets what was written here since
// (Placement::vary); a run's answer comes back as bytes; memory that is read afterwards, to be
// checked or compared, is that of the process which ran last. What answers are judged by is wiped
// out there before the variant starts.
//
// A process stands still while it is not asked for anything, with all its threads and children. A
// variant that ends it, crashes, is silent for too long, or does not leave its surroundings as it
// found them has hurt itself alone: the run throws, and says what it did.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/measure/forked.h"
#include "harness/variant.h"
#include "runtimes/runtime.h"

namespace gpp {

struct ApartOptions {
  double longest_run = 0;             ///< seconds of silence after which a process is ended
  std::function<bool()> interrupted;  ///< true: whoever runs is ended soon; may be empty
  std::function<void()> forget;       ///< in a new process: wipe out all answers; may be empty
};

struct Piece;
struct DoneMessage;

/// A runtime whose memory is the host's.
class Apart : public Runtime {
 public:
  Apart(const Runtime& real, ApartOptions options);
  ~Apart() override;
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  /// The same build, run in a process of its own. Its call does nothing until start_all().
  Build employ(const Build& build);
  /// Starts the processes. Everything must have been placed.
  void start_all();
  /// Ends all processes. With `look` their threads may first run out of work; then it tells of
  /// each, in the order of employ(), what goes on in it all the same; empty where nothing does.
  std::vector<std::string> end_all(bool look);
  /// CPU seconds that the processes took.
  double cpu_seconds() const;
  /// Whether the last run was ended because somebody interrupted it.
  bool was_interrupted() const { return was_interrupted_; }

  std::string unavailable() const override { return real_.unavailable(); }
  DeviceDescription describe() const override { return real_.describe(); }
  long long free_bytes() const override { return real_.free_bytes(); }
  const DeviceMemory& memory() const override;
  double time(const std::function<void()>& call) const override;
  std::vector<Launch> launches() const override { return real_.launches(); }
  double clock_mhz() const override { return real_.clock_mhz(); }

 private:
  class Memory;
  struct Worker;

  void note_change(const Piece& piece);
  static void say(const Worker& worker, const std::string& message);
  /// The answer to the message. Throws what went wrong there.
  DoneMessage hear(Worker& worker);
  void dismiss(Worker& worker, const std::string& why);
  void write(Worker& worker, const Piece& piece);
  void read(Worker& worker, std::byte* to, const Piece& piece);
  void run(Worker& worker, std::span<const std::byte> problem, std::span<std::byte> answer);

  const Runtime& real_;
  ApartOptions options_;
  std::unique_ptr<Memory> memory_;
  std::list<Worker> workers_;
  Worker* last_ = nullptr;              // whose memory is read
  mutable std::optional<double> told_;  // seconds of the run that a process just did
  double ended_cpu_seconds_ = 0;
  bool was_interrupted_ = false;
};

}  // namespace gpp
