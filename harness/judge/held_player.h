// The referee's hold on a player: the memory that both share, the arena; it starts the player in
// the sandbox, stops and thaws it, times it from outside, and ends it.
//
// A player is stopped, each of its threads seen to be, from the moment that it is ready, but for
// the times between "go" and its answer. The clock runs from before it is thawed until the answer
// has come. An answer in arrays is there when all threads stand still: they might go on writing.
// What it is asked on a GPU it sees right before the clock runs, and not while it is drawn.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/judge/player.h"
#include "harness/judge/sandbox.h"
#include "harness/measure/shared_memory.h"
#include "harness/program/child.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The device under whose eyes a player runs, with the memory of the arena for Subject::place.
///
/// On a host it is that of every worker (shared_memory.h), sealed. A GPU's memory is one piece that
/// the player opens by name, and the referee's own beside it, in which problems are drawn: what
/// waits on the device for the next problem sees it no earlier than reveal() copies it. What the
/// player wrote where it may only read is found by comparing.
class Arena : public Runtime {
 public:
  /// On a host and on a GPU. Throws std::runtime_error.
  Arena(const Runtime& device, const MemorySizes& size);
  ~Arena() override;

  /// On a GPU: the player sees what was placed and written here. On a host it sees that all the
  /// time; this core's caches now hold what they can of it, as they do after a run.
  void reveal() const;
  /// On a GPU: takes what the player wrote where it should. Returns whether all else is as it was
  /// revealed.
  bool collect() const;
  const Runtime& device() const { return device_; }
  bool on_host() const { return far_ == nullptr; }
  /// The files that a player maps: on a GPU the page is all that is there.
  const SharedMemory& shared() const { return shared_; }
  const MemoryInPieces& pieces() const;
  /// Of a GPU: what the player opens, in which problems lie as in the memory here, which begins at
  /// that address.
  std::vector<std::byte> name() const;
  std::uint64_t address() const;

  DeviceDescription describe() const override { return device_.describe(); }
  long long free_bytes() const override { return device_.free_bytes(); }
  const DeviceMemory& memory() const override { return pieces(); }
  Pulse pulse(double seconds) const override { return device_.pulse(seconds); }

 private:
  class Far;

  const Runtime& device_;
  SharedMemory shared_;
  std::unique_ptr<Far> far_;  // of a GPU
};

/// The player did what no honest one does.
class Foul : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns when all other threads of this process sleep, and after a second whatever they do.
/// OpenMP's look out for work for a while after the last, some for 15 ms and more, and would share
/// the cores with a player.
void let_our_threads_sleep();

/// Longer than a GPU's time slices. A GPU serves another process's pulse at once, even while a
/// kernel goes on there, but takes turns between both; on H100, 4 ms then last 4.7 ms and not 4.06
/// ms.
inline constexpr double long_pulse = 4e-3;  // seconds

/// A player that is to be started, and how it is held.
struct PlayerStart {
  WorkerProgram program;
  PlayerOrder order = {};
  double longest_run = 60;                 ///< seconds
  std::function<bool()> interrupted = {};  ///< may be empty
  bool pid_namespace = true;
};

class HeldPlayer {
 public:
  /// Starts it and waits until it is ready. Throws std::runtime_error with what went wrong.
  HeldPlayer(PlayerStart start, const Sandbox& sandbox, Arena& arena);

  /// Call::types, as it says.
  const std::string& types() const { return types_; }

  struct Round {
    double seconds = 0;        ///< of all together
    double pulse_seconds = 0;  ///< of a long_pulse on a GPU right after the answer; 0 on a host
    std::vector<std::vector<std::byte>> answers;
  };
  /// It computes all of these, of such sizes, and the clock runs until it says so or, with
  /// `until_still`, until all its threads stand still. Throws std::runtime_error where it fails or
  /// ends, and Foul.
  Round go(const std::vector<std::vector<std::byte>>& problems, const Mail& sizes,
           bool until_still);
  double cpu_seconds() const;

 private:
  /// Throws after so many seconds: "LATE 60 s".
  void wait_for(std::uint32_t run, double seconds, const char* late);
  /// Throws where it has ended, or somebody interrupted us.
  void require_alive();
  /// Throws where it says that it failed.
  void require_well() const;
  void stop();

  Arena& arena_;
  PlayerStart start_;
  Page& page_;
  std::unique_ptr<Child> process_;
  std::vector<pid_t> known_;  // its processes when it was ready
  std::string types_;
  std::uint32_t runs_ = 1;  // the first got it ready
};

}  // namespace gpp
