// Memory of a host that the workers of a study have at the same addresses.
//
// It is two files without names: inputs, which a worker maps read-only, so that writing there is a
// crash, and outputs, which begin with the mail. Both are sparse and far larger than what is ever
// placed: addresses are given once and not again before everything was released.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "roofline/record/fields.h"
#include "runtimes/memory.h"

namespace gpp {

/// A file in memory, which every process maps at one address.
struct SharedFile {
  int descriptor = -1;
  std::int64_t address = 0, bytes = 0;

  bool has(const void* one) const;
  std::byte* data() const { return reinterpret_cast<std::byte*>(address); }
  std::size_t size() const { return static_cast<std::size_t>(bytes); }
  /// Maps it in a process that was started anew. Throws std::runtime_error.
  void map(bool writable) const;
};
void fields(roofline::Fields& field, SharedFile& file);

/// A piece that was placed. Each write gives it a version that no piece had before.
struct PlacedPiece {
  std::int64_t address = 0, bytes = 0, version = 0;
  bool output = false;

  std::byte* data() const { return reinterpret_cast<std::byte*>(address); }
  std::size_t size() const { return static_cast<std::size_t>(bytes); }
  /// Whether it is the same memory, whatever lies there.
  bool is(const PlacedPiece& other) const {
    return address == other.address && bytes == other.bytes;
  }
};
void fields(roofline::Fields& field, PlacedPiece& piece);

inline constexpr std::size_t mail_bytes = 1 << 20;

class SharedMemory : public DeviceMemory {
 public:
  /// Makes both files. Throws std::runtime_error.
  SharedMemory() : inputs_(0), outputs_(mail_bytes) {}

  void* allocate(std::size_t bytes) const override { return take(inputs_, bytes); }
  void* allocate_output(std::size_t bytes) const override { return take(outputs_, bytes); }
  void release(void* memory) const noexcept override;
  void write(void* device, const void* host, std::size_t bytes) const override;
  void read(void* host, const void* device, std::size_t bytes) const override;

  const SharedFile& inputs() const { return inputs_.file; }
  const SharedFile& outputs() const { return outputs_.file; }
  /// A problem goes there, and its answer comes back.
  std::byte* mail() const { return outputs_.file.data(); }
  const std::vector<PlacedPiece>& pieces() const { return pieces_; }
  /// Nothing that an earlier run left in the outputs passes for an answer.
  void spoil_outputs() const;

 private:
  struct Room {
    explicit Room(std::size_t first);
    ~Room();
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    SharedFile file;
    std::size_t first, taken;
  };
  void* take(Room& room, std::size_t bytes) const;

  mutable Room inputs_, outputs_;
  mutable std::vector<PlacedPiece> pieces_;
  mutable std::int64_t versions_ = 0;
};

}  // namespace gpp
