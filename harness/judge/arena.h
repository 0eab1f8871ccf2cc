// The memory that a referee shares with a player: the arena, in which the arrays of problems lie,
// and the page by which they talk.
//
// On a host it is that of every worker (shared_memory.h), with the page in the place of the mail.
// Seals keep anybody from mapping the inputs writable, and from changing the size of either file.
//
// A GPU's memory is one piece that the player opens by name, and the referee's own beside it, in
// which problems are drawn: what waits on the device for the next problem sees it no earlier than
// reveal() copies it. What the player wrote where it may only read is found by comparing.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "harness/measure/shared_memory.h"
#include "runtimes/runtime.h"

namespace gpp {

/// The device under whose eyes a player runs, with the memory of the arena for Subject::place.
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

  std::string unavailable() const override { return device_.unavailable(); }
  DeviceDescription describe() const override { return device_.describe(); }
  long long free_bytes() const override { return device_.free_bytes(); }
  const DeviceMemory& memory() const override { return pieces(); }
  double time(const std::function<void()>& call) const override { return device_.time(call); }
  std::vector<Launch> launches() const override { return device_.launches(); }
  Pulse pulse(double seconds) const override { return device_.pulse(seconds); }

 private:
  class Far;

  const Runtime& device_;
  SharedMemory shared_;
  std::unique_ptr<Far> far_;  // of a GPU
};

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
/// words are shown to people, no more.
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

}  // namespace gpp
