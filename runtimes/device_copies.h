// Copies within a device's memory.
#pragma once

#include <cstddef>

namespace gpp {

/// An additional interface of some runtimes' memory: copies between GPU addresses, one of which may
/// belong to another process. Both functions take a multiple of 16 bytes, wait for completion, and
/// throw std::runtime_error.
class DeviceCopies {
 public:
  virtual ~DeviceCopies() = default;
  virtual void copy(void* to, const void* from, std::size_t bytes) const = 0;
  /// True if both contents are equal.
  virtual bool same(const void* one, const void* other, std::size_t bytes) const = 0;
};

}  // namespace gpp
