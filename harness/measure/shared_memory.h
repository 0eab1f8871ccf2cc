// Memory of a host that several processes have at the same addresses.
//
// It is two files without names: inputs, which a worker maps read-only, so that writing there is a
// crash, and outputs, which begin with the mail. Those of a study are sparse and far larger than
// what is ever placed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "roofline/record/fields.h"
#include "runtimes/memory.h"

namespace gpp {

/// Files, writes and a GPU's rooms for pieces are as long as some of these.
inline constexpr std::size_t block_bytes = 2 << 20;

/// The least multiple of a step, at least one of it, that holds so many bytes.
std::size_t rounded(std::size_t bytes, std::size_t step);

/// A file in memory, which every process maps at one address.
struct SharedFile {
  int descriptor = -1;
  std::int64_t address = 0, bytes = 0;

  bool has(const void* one) const;
  std::byte* data() const { return reinterpret_cast<std::byte*>(address); }
  std::size_t size() const { return static_cast<std::size_t>(bytes); }
  /// Maps it in a process that was started anew, and closes it there. Throws std::runtime_error.
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

struct MemorySizes {
  std::size_t inputs = 0, outputs = 0;
};

/// Memory of which pieces are taken one behind the other, inputs here and outputs there. Addresses
/// are given once, and not again before everything was released: so problems of one size always lie
/// at the same addresses.
class MemoryInPieces : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override { return take(inputs_, bytes); }
  void* allocate_output(std::size_t bytes) const override { return take(outputs_, bytes); }
  void release(void* memory) const noexcept override;

  const std::vector<PlacedPiece>& pieces() const { return pieces_; }
  /// The room that they take now.
  MemorySizes taken() const { return {inputs_.taken, outputs_.taken}; }
  /// Nothing that an earlier run left in the outputs passes for an answer.
  void spoil_outputs() const;

 protected:
  struct Room {
    std::byte* data = nullptr;
    std::size_t bytes = 0, taken = 0;
  };

  /// What lies at that address was written.
  void changed(const void* at) const;

  mutable Room inputs_, outputs_;
  mutable std::vector<PlacedPiece> pieces_;

 private:
  void* take(Room& room, std::size_t bytes) const;

  mutable std::int64_t versions_ = 0;
};

inline constexpr std::size_t mail_bytes = 1 << 20;

class SharedMemory : public MemoryInPieces {
 public:
  /// Makes both files, for a study. With sizes for whom nobody trusts: nobody may change them, nor
  /// map the inputs writable from now on. Throws std::runtime_error.
  explicit SharedMemory(const std::optional<MemorySizes>& sealed = {},
                        std::size_t mail = mail_bytes);

  void write(void* device, const void* host, std::size_t bytes) const override;
  void read(void* host, const void* device, std::size_t bytes) const override;

  const SharedFile& inputs() const { return *inputs_file_; }
  const SharedFile& outputs() const { return *outputs_file_; }
  /// A problem goes there, and its answer comes back.
  std::byte* mail() const { return outputs_file_->data(); }

 private:
  std::shared_ptr<const SharedFile> inputs_file_, outputs_file_;
};

}  // namespace gpp
