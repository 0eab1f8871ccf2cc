// The memory that a referee shares with a player.
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

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "runtimes/device_copies.h"
#include "runtimes/runtime.h"

namespace gpp {

/// Shared memory of a host at one address.
class SharedPiece {
 public:
  /// Makes it, writable here. Throws std::runtime_error.
  SharedPiece(const char* name, std::uintptr_t address, std::size_t bytes);
  ~SharedPiece();
  SharedPiece(const SharedPiece&) = delete;
  SharedPiece& operator=(const SharedPiece&) = delete;

  /// Nobody may change its size; with `for_reading`, nor map it writable or write to it. Throws.
  void seal(bool for_reading) const;
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
  std::size_t bytes_;
  std::byte* data_ = nullptr;
};

/// Maps what another process made, at that address (0: anywhere). Throws std::runtime_error.
std::byte* map_shared(int descriptor, std::uintptr_t address, std::size_t bytes, bool writable);

/// Sizes of what a player is given.
struct ArenaSize {
  std::size_t inputs = 0, outputs = 0;

  /// The larger of both, each.
  ArenaSize or_larger(const ArenaSize& other) const;
};

/// The memory of the arena, for Subject::place.
class Arena : public DeviceMemory {
 public:
  static constexpr std::uintptr_t inputs_at = 0x200000000000, outputs_at = 0x280000000000;

  /// On a host and on a GPU. Throws std::runtime_error.
  Arena(const Runtime& real, const ArenaSize& size);
  ~Arena() override;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  void* allocate(std::size_t bytes) const override { return take(inputs_, bytes); }
  void* allocate_output(std::size_t bytes) const override {
    void* const memory = take(on_host() ? outputs_ : inputs_, bytes);
    written_.emplace_back(memory, bytes);
    return memory;
  }
  void release(void* memory) const noexcept override;
  void write(void* device, const void* host, std::size_t bytes) const override {
    real_.memory().write(device, host, bytes);
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    real_.memory().read(host, device, bytes);
  }

  /// Nothing is left there that a trusted variant may have written.
  void wipe_outputs() const;
  /// On a GPU: the player sees what was placed and written here. On a host it sees that all the
  /// time; this core's caches now hold what they can of it, as they do after a run.
  void reveal() const;
  /// On a GPU: takes what the player wrote where it should. Returns whether all else is as it was
  /// revealed.
  bool collect() const;
  /// Runtime::pulse().seconds of a GPU; 0 on a host.
  double pulse_seconds() const { return on_host() ? 0.0 : real_.pulse().seconds; }
  bool on_host() const { return !pieces_.empty(); }
  /// The descriptors that a player on a host needs: of the inputs, of the outputs.
  int descriptor(std::size_t piece) const { return pieces_.at(piece).descriptor(); }
  std::size_t bytes(std::size_t piece) const { return pieces_.at(piece).bytes(); }
  /// Of a GPU: where problems lie here, and the player finds them in what it opens.
  const std::byte* device_memory() const { return inputs_.data; }
  std::size_t device_bytes() const { return inputs_.bytes; }
  std::vector<std::byte> name() const { return real_.memory().name_for_others(shared_); }

 private:
  struct Room {
    std::byte* data = nullptr;
    std::size_t bytes = 0, taken = 0;
  };
  void* take(Room& room, std::size_t bytes) const;

  const Runtime& real_;
  const DeviceCopies* copies_ = nullptr;  // of a GPU
  std::deque<SharedPiece> pieces_;        // of a host
  mutable Room inputs_, outputs_;
  std::byte* shared_ = nullptr;  // of a GPU, as large as inputs_
  mutable int live_ = 0;
  mutable std::vector<std::pair<void*, std::size_t>> written_;
};

/// A runtime whose memory is another one's.
class RuntimeWithMemory : public Runtime {
 public:
  RuntimeWithMemory(const Runtime& real, const DeviceMemory& memory)
      : real_(real), memory_(memory) {}

  std::string unavailable() const override { return real_.unavailable(); }
  DeviceDescription describe() const override { return real_.describe(); }
  long long free_bytes() const override { return real_.free_bytes(); }
  const DeviceMemory& memory() const override { return memory_; }
  double time(const std::function<void()>& call) const override { return real_.time(call); }
  std::vector<Launch> launches() const override { return real_.launches(); }
  Pulse pulse() const override { return real_.pulse(); }
  std::string device_place() const override { return real_.device_place(); }

 private:
  const Runtime& real_;
  const DeviceMemory& memory_;
};

/// Counts what would be placed, and keeps it on the host as long as it is there.
class CountingMemory : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override { return count(size_.inputs, bytes); }
  void* allocate_output(std::size_t bytes) const override { return count(size_.outputs, bytes); }
  void release(void* memory) const noexcept override { host_memory().release(memory); }
  void write(void* device, const void* host, std::size_t bytes) const override {
    host_memory().write(device, host, bytes);
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    host_memory().read(host, device, bytes);
  }
  const ArenaSize& size() const { return size_; }

 private:
  static void* count(std::size_t& sum, std::size_t bytes);
  mutable ArenaSize size_;
};

}  // namespace gpp
