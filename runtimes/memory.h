// The memory of a device, and arrays placed there.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gpp {

/// Some rows of a matrix of two-double elements, first index fastest, and the same transposed:
///
///   to(i, j) = to_transposed(j, i) = from(rows[i], j), and 0 where rows[i] is negative
///
/// All pointers are to the memory of one device.
struct RowGather {
  const double* from = nullptr;  ///< (height, columns)
  int height = 0;
  int columns = 0;
  const int* rows = nullptr;  ///< (count)
  int count = 0;
  double* to = nullptr;             ///< (count, columns)
  double* to_transposed = nullptr;  ///< (columns, count)
};

/// Access to the memory of a device. Stateless. Each function but the releasing ones throws
/// std::runtime_error, with a message for people, where the device refuses.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual void* allocate(std::size_t bytes) const = 0;
  /// Memory that results are written to.
  virtual void* allocate_output(std::size_t bytes) const { return allocate(bytes); }
  virtual void release(void* memory) const noexcept = 0;
  virtual void write(void* device, const void* host, std::size_t bytes) const = 0;
  virtual void read(void* host, const void* device, std::size_t bytes) const = 0;

  /// Whether programs of the host reach it like their own: then nothing need be copied.
  virtual bool is_host() const { return false; }
  /// Returns when it is done, or when what the device is given next waits for it. Here on the
  /// host's cores, for memory that they reach.
  virtual void gather(const RowGather& rows) const;

  /// Names memory of a GPU to another process, which opens it: the same memory at an address of its
  /// own. Throw std::runtime_error where the device has no such thing.
  virtual std::vector<std::byte> name_for_others(void* memory) const;
  virtual void* open_by_name(const std::vector<std::byte>& name) const;
};

/// The memory of the host.
const DeviceMemory& host_memory();

/// A piece of a device's memory; `memory` outlives it.
class DeviceBuffer {
 public:
  DeviceBuffer() : memory_(nullptr, Release{nullptr}) {}
  DeviceBuffer(const DeviceMemory& memory, std::size_t bytes);
  /// Allocates, and copies `source` there.
  template <class T>
  DeviceBuffer(const DeviceMemory& memory, const std::vector<T>& source)
      : DeviceBuffer(memory, source.size() * sizeof(T)) {
    if (bytes_ > 0) memory.write(data(), source.data(), bytes_);
  }

  std::size_t bytes() const { return bytes_; }
  void* data() const { return memory_.get(); }
  template <class T>
  T* as() const {
    return static_cast<T*>(memory_.get());
  }

 private:
  struct Release {
    const DeviceMemory* memory;
    void operator()(void* pointer) const noexcept { memory->release(pointer); }
  };
  std::unique_ptr<void, Release> memory_;
  std::size_t bytes_ = 0;
};

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

  /// A source of that size for that array, copied if it is another one; returns the copy's address.
  void* replace(const char* name, const void* source);

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
