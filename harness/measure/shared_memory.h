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

/// A file in memory, mapped here and elsewhere at one address.
class SharedFile {
 public:
  /// Makes it, of that many bytes, mapped writable. Throws std::runtime_error.
  explicit SharedFile(std::size_t bytes);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  int descriptor_ = -1;
  std::size_t bytes_;
  std::byte* data_ = nullptr;
};

/// What another process needs to map such a file.
struct SharedPlace {
  int descriptor = -1;
  std::int64_t address = 0, bytes = 0;

  static SharedPlace of(const SharedFile& file);
  bool has(const void* address) const;
  std::byte* data() const { return reinterpret_cast<std::byte*>(address); }
  /// Maps it in a process that was started anew. Throws std::runtime_error.
  void map(bool writable) const;
};
void fields(roofline::Fields& field, SharedPlace& place);

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

class SharedMemory : public DeviceMemory {
 public:
  SharedMemory();

  void* allocate(std::size_t bytes) const override { return take(inputs_, bytes); }
  void* allocate_output(std::size_t bytes) const override { return take(outputs_, bytes); }
  void release(void* memory) const noexcept override;
  void write(void* device, const void* host, std::size_t bytes) const override;
  void read(void* host, const void* device, std::size_t bytes) const override;

  SharedPlace inputs() const { return SharedPlace::of(inputs_.file); }
  SharedPlace outputs() const { return SharedPlace::of(outputs_.file); }
  /// A problem goes there, and its answer comes back.
  std::byte* mail() const { return outputs_.file.data(); }
  const std::vector<PlacedPiece>& pieces() const { return pieces_; }
  /// Nothing that an earlier run left in the outputs passes for an answer.
  void spoil_outputs() const;

 private:
  struct Room {
    SharedFile file;
    std::size_t first = 0, taken = first;
  };
  void* take(Room& room, std::size_t bytes) const;

  mutable Room inputs_, outputs_;
  mutable std::vector<PlacedPiece> pieces_;
  mutable std::int64_t versions_ = 0;
};

inline constexpr std::size_t mail_bytes = 1 << 20;

}  // namespace gpp
