// The memory that a referee shares with a player: the arena, in which the arrays of problems lie,
// and the page by which they talk.
//
// On a host there are two pieces of shared memory, which lie at the same addresses in both
// processes: inputs, which the player can only read, and outputs. Seals keep anybody from mapping
// the inputs writable, and from changing the size of either.
//
// A GPU's memory is one piece that the player opens by name, and the referee's own beside it, in
// which problems are drawn: what waits on the device for the next problem sees it no earlier than
// reveal() copies it. What the player wrote where it may only read is found by comparing.
//
// What is released makes room only when everything is: so problems of one size always lie at the
// same addresses, and in a player that ran one of them the pages are mapped.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtimes/device_copies.h"
#include "runtimes/runtime.h"

namespace gpp {

/// A piece of memory.
struct Piece {
  std::shared_ptr<std::byte> data = {};  ///< gives it back in the end
  std::size_t bytes = 0, taken = 0;
  int descriptor = -1;  ///< where it is shared with other processes of a host
};

/// Makes memory that is shared, writable here at that address (0: anywhere). Nobody may change its
/// size; with `for_reading`, nor map it writable or write to it from then on. Throws
/// std::runtime_error.
Piece share_memory(std::uintptr_t address, std::size_t bytes, bool for_reading);

/// Maps all of what another process made, at that address. Throws std::runtime_error.
std::byte* map_shared(int descriptor, std::uintptr_t address, bool writable);

/// Sizes of what a player is given.
struct ArenaSize {
  std::size_t inputs = 0, outputs = 0;
};

/// The device under whose eyes a player runs, with the memory of the arena for Subject::place.
class Arena : public Runtime, public DeviceMemory {
 public:
  static constexpr std::uintptr_t inputs_at = 0x200000000000, outputs_at = 0x280000000000;

  /// On a host and on a GPU. Throws std::runtime_error.
  Arena(const Runtime& device, const ArenaSize& size);

  /// The room that is taken now.
  ArenaSize taken() const { return {inputs_.taken, outputs_.taken}; }
  /// Nothing is left there that a trusted variant may have written.
  void wipe_outputs() const;
  /// On a GPU: the player sees what was placed and written here. On a host it sees that all the
  /// time; this core's caches now hold what they can of it, as they do after a run.
  void reveal() const;
  /// On a GPU: takes what the player wrote where it should. Returns whether all else is as it was
  /// revealed.
  bool collect() const;
  const Runtime& device() const { return device_; }
  bool on_host() const { return copies_ == nullptr; }
  const Piece& inputs() const { return inputs_; }    ///< of a GPU: outputs, too
  const Piece& outputs() const { return outputs_; }  ///< of a host
  /// Of a GPU: what the player opens, in which problems lie as in inputs().
  std::vector<std::byte> name() const { return real_.name_for_others(shared_.data.get()); }

  void* allocate(std::size_t bytes) const override { return take(inputs_, bytes); }
  void* allocate_output(std::size_t bytes) const override;
  void release(void* memory) const noexcept override;
  void write(void* to, const void* from, std::size_t bytes) const override {
    real_.write(to, from, bytes);
  }
  void read(void* to, const void* from, std::size_t bytes) const override {
    real_.read(to, from, bytes);
  }

  std::string unavailable() const override { return device_.unavailable(); }
  DeviceDescription describe() const override { return device_.describe(); }
  long long free_bytes() const override { return device_.free_bytes(); }
  const DeviceMemory& memory() const override { return *this; }
  double time(const std::function<void()>& call) const override { return device_.time(call); }
  std::vector<Launch> launches() const override { return device_.launches(); }
  Pulse pulse(double seconds) const override { return device_.pulse(seconds); }

 private:
  void* take(Piece& piece, std::size_t bytes) const;

  const Runtime& device_;
  const DeviceMemory& real_;              // of the device
  const DeviceCopies* copies_ = nullptr;  // of a GPU
  mutable Piece inputs_, outputs_;
  Piece shared_;  // of a GPU, as large as inputs_
  mutable int live_ = 0;
  mutable std::vector<std::pair<void*, std::size_t>> written_;
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
