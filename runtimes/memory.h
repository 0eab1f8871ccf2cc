// The memory of a device, and arrays placed there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gpp {

/// How the memory of a device is reached. Stateless. Each function but release throws
/// std::runtime_error, with a message for people, where the device refuses.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual void* allocate(std::size_t bytes) const = 0;
  virtual void release(void* memory) const noexcept = 0;
  virtual void write(void* device, const void* host, std::size_t bytes) const = 0;
  virtual void read(void* host, const void* device, std::size_t bytes) const = 0;
};

/// The memory of the host.
const DeviceMemory& host_memory();

/// Copies of host arrays in a device's memory, on hosts too: a variant that writes where it may
/// only read spoils nothing for others. The sources and `memory` outlive it.
class PlacedArrays {
 public:
  explicit PlacedArrays(const DeviceMemory& memory) : memory_(memory) {}
  PlacedArrays(const PlacedArrays&) = delete;
  PlacedArrays& operator=(const PlacedArrays&) = delete;

  /// Places a copy; returns its address. Messages call the array `name`, which must outlive this
  /// object.
  void* add(const char* name, const void* source, std::size_t bytes);

  /// Memory for results, of which nothing is kept.
  void* add_output(std::size_t bytes);

  /// Copies the source of that array again, after it was changed.
  void rewrite(const void* source);

  /// Reads back all copies and restores those that are not as they were placed. Returns the name of
  /// the first such array; empty where all is well.
  std::string repair();

 private:
  struct Release {
    const DeviceMemory* memory;
    void operator()(void* pointer) const noexcept { memory->release(pointer); }
  };
  using Owned = std::unique_ptr<void, Release>;
  struct Copy {
    const char* name;
    const void* source;
    Owned device;
    std::size_t bytes;
  };

  Owned allocate(std::size_t bytes) { return {memory_.allocate(bytes), Release{&memory_}}; }
  bool intact(const Copy& copy);

  const DeviceMemory& memory_;
  std::vector<Copy> copies_;
  std::vector<Owned> outputs_;
  std::vector<std::byte> buffer_;
};

}  // namespace gpp
