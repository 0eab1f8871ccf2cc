// The worker that runs a submission and nothing else, in a sandbox.
//
// It maps what it is given, starts its device and its threads, takes from itself system calls and
// resources, and only then loads the submission, whose constructors run at this moment. It holds no
// reference, no key, no other descriptors, and is stopped whenever it is not asked for anything.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/measure/worker.h"
#include "roofline/record/fields.h"

namespace gpp {

/// What a process takes from itself before it runs somebody else's code.
struct ProcessLimits {
  /// A filter on all threads: no new processes and programs, no sockets, no look at and no signal
  /// to other processes, no change of its affinity, priority, group or session, no mounts, and so
  /// on. They fail with EPERM. New threads are allowed.
  bool system_calls = true;
  bool refuse_writing = false;  ///< the filter also refuses to open files for writing
  bool resources = true;
  std::uint64_t memory_bytes = 0;  ///< address space; 0: as much as it likes
  bool binds_threads = false;      ///< the filter allows to tie them to cores
};

/// Takes them for good. Returns why that was impossible; empty where they hold.
std::string limit_this_process(const ProcessLimits& limits);

/// What a worker is told to be a player (WorkerProgram::player). Without a variant it does nothing
/// when asked for 0, and a pulse when asked for another number.
struct PlayerOrder {
  std::string library = {};  ///< a plug-in's, in place of the program's own variant; or empty
  std::string place = {};    ///< Runtime::device_place of the referee's device
  ProcessLimits limits = {};
};
void fields(roofline::Fields& field, PlayerOrder& order);

/// The places of problems and answers of these sizes, each where any type may begin.
struct Mail {
  static constexpr std::size_t most_bytes = 1 << 20;
  std::size_t problem_bytes = 0, answer_bytes = 0;

  static std::size_t padded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  std::size_t problem(std::size_t i) const {
    return i * (padded(problem_bytes) + padded(answer_bytes));
  }
  std::size_t answer(std::size_t i) const { return problem(i) + padded(problem_bytes); }
  std::size_t most() const { return most_bytes / problem(1); }
};

/// The referee writes problems and counts `go` up; the player writes the answers and counts `done`
/// up. Nothing else there is believed: what the player tells of itself is what it will get, and its
/// words are shown to people, no more. It lies in the place of a study's mail (shared_memory.h).
struct Page {
  using Text = std::array<char, 1024>;

  std::atomic<std::uint32_t> go{1};        ///< the referee's; at 1 the player gets ready
  std::atomic<std::uint32_t> done{0};      ///< the player's
  std::atomic<bool> failed{false};         ///< as the player tells it
  std::uint32_t count = 0;                 ///< problems in the mail
  Text types{};                            ///< Call::types of the player's
  Text words{};                            ///< why it failed
  std::uint64_t arena = 0;                 ///< where the referee has a GPU's
  std::array<std::byte, 64> arena_name{};  ///< DeviceMemory::name_for_others
  alignas(64) std::array<std::byte, Mail::most_bytes> mail{};
};

/// Sleeps while the word is `value`, at most so many seconds; it may wake up early.
void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, double seconds);
void wake(const std::atomic<std::uint32_t>& word);

/// Plays, in a process that begins its outputs with a Page.
void play(const WorkerProgram& program, const WorkerMemory& memory);

}  // namespace gpp
