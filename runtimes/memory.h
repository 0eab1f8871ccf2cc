// A device's memory, and arrays in device memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace gpp {

/// Some rows of a matrix of two-double elements, first index fastest, and their transpose:
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
  double* to_transposed = nullptr;  ///< (columns, count), or null

  /// Sets one of the two doubles of an element.
  void set(long long i, long long j, int part) const {
    const int row = rows[i];
    const double value = row < 0 ? 0.0 : from[2 * (row + height * j) + part];
    to[2 * (i + count * j) + part] = value;
    if (to_transposed != nullptr) to_transposed[2 * (j + columns * i) + part] = value;
  }
};

/// Access to a device's memory, without state. All functions except those that free memory throw
/// std::runtime_error with a readable message if the device refuses.
class DeviceMemory {
 public:
  virtual ~DeviceMemory() = default;
  virtual void* allocate(std::size_t bytes) const = 0;
  /// Allocates memory for results.
  virtual void* allocate_output(std::size_t bytes) const { return allocate(bytes); }
  virtual void release(void* memory) const noexcept = 0;
  virtual void write(void* device, const void* host, std::size_t bytes) const = 0;
  virtual void read(void* host, const void* device, std::size_t bytes) const = 0;

  /// True if host code can access it directly, so that no copies are needed.
  virtual bool is_host() const { return false; }
  /// Returns when the copy is done, or when later work on the device will wait for it. This version
  /// uses the host's cores, for memory accessible to them.
  virtual void gather(const RowGather& rows) const;

  /// Makes a name with which another process can open GPU memory at its own address. This and the
  /// following functions throw std::runtime_error if the device does not support them.
  virtual std::vector<std::byte> name_for_others(void* memory) const;
  virtual void* open_by_name(const std::vector<std::byte>& name) const;
  /// Copies and compares within the device's memory, a multiple of 16 bytes, and waits for the end.
  /// One of the addresses may belong to another process.
  virtual void copy(void* to, const void* from, std::size_t bytes) const;
  virtual bool same(const void* one, const void* other, std::size_t bytes) const;
};

/// The memory of the host.
const DeviceMemory& host_memory();

/// A block of device memory, taken over or allocated; `memory` must outlive it.
class DeviceBuffer {
 public:
  DeviceBuffer() : memory_(nullptr, Release{nullptr}) {}
  DeviceBuffer(const DeviceMemory& memory, void* allocated, std::size_t bytes)
      : memory_(allocated, Release{&memory}), bytes_(bytes) {}
  DeviceBuffer(const DeviceMemory& memory, std::size_t bytes)
      : DeviceBuffer(memory, memory.allocate(bytes), bytes) {}
  /// Allocates memory and copies `source` into it.
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

/// Copies of host arrays in a device's memory, also on hosts, so that a variant that writes to its
/// input damages nothing for others. The sources and `memory` must outlive it.
class PlacedArrays {
 public:
  explicit PlacedArrays(const DeviceMemory& memory) : memory_(memory) {}
  PlacedArrays(const PlacedArrays&) = delete;
  PlacedArrays& operator=(const PlacedArrays&) = delete;

  /// Places a copy and returns its address. `name`, for messages, must outlive this object.
  void* add(const char* name, const void* source, std::size_t bytes);

  /// Memory for results, which is not restored.
  void* add_output(std::size_t bytes);

  /// Copies a changed source again.
  void rewrite(const void* source);

  /// Copies another source of equal size to that array, if new; returns the copy's address.
  void* replace(const char* name, const void* source);

  /// Reads back all copies and restores changed ones. Returns the name of the first changed array,
  /// or "".
  std::string repair();

 private:
  struct Copy {
    const char* name;
    const void* source;
    DeviceBuffer device;
  };

  bool intact(const Copy& copy) const;
  void write(const Copy& copy) const {
    memory_.write(copy.device.data(), copy.source, copy.device.bytes());
  }

  const DeviceMemory& memory_;
  std::vector<Copy> copies_;
  std::vector<DeviceBuffer> outputs_;
};

}  // namespace gpp
