// Copies within the memory of a device.
#pragma once

#include <cstddef>

namespace gpp {

/// What the memory of some runtimes is, too: places of a GPU, of which one may be another
/// process's. Both functions take a multiple of 16 bytes and return when they are done; they throw
/// std::runtime_error.
class DeviceCopies {
 public:
  virtual ~DeviceCopies() = default;
  virtual void copy(void* to, const void* from, std::size_t bytes) const = 0;
  /// Whether both hold the same.
  virtual bool same(const void* one, const void* other, std::size_t bytes) const = 0;
};

}  // namespace gpp
