#include "runtimes/memory.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace gpp {
namespace {

constexpr std::size_t chunk = 1 << 20;  // bytes compared at a time

class HostMemory : public DeviceMemory {
 public:
  void* allocate(std::size_t bytes) const override { return ::operator new(bytes, alignment); }
  void release(void* memory) const noexcept override { ::operator delete(memory, alignment); }
  void write(void* device, const void* host, std::size_t bytes) const override {
    std::memcpy(device, host, bytes);
  }
  void read(void* host, const void* device, std::size_t bytes) const override {
    std::memcpy(host, device, bytes);
  }

 private:
  static constexpr std::align_val_t alignment{64};  // that of a cache line
};

}  // namespace

const DeviceMemory& host_memory() {
  static const HostMemory memory;
  return memory;
}

void* PlacedArrays::add(const char* name, const void* source, std::size_t bytes) {
  copies_.push_back({name, source, allocate(bytes), bytes});
  memory_.write(copies_.back().device.get(), source, bytes);
  return copies_.back().device.get();
}

void* PlacedArrays::add_output(std::size_t bytes) {
  outputs_.push_back(allocate(bytes));
  return outputs_.back().get();
}

void PlacedArrays::rewrite(const void* source) {
  for (const Copy& copy : copies_)
    if (copy.source == source) memory_.write(copy.device.get(), source, copy.bytes);
}

std::string PlacedArrays::repair() {
  std::string changed;
  for (const Copy& copy : copies_) {
    if (intact(copy)) continue;
    memory_.write(copy.device.get(), copy.source, copy.bytes);
    if (changed.empty()) changed = copy.name;
  }
  return changed;
}

bool PlacedArrays::intact(const Copy& copy) {
  buffer_.resize(chunk);
  for (std::size_t first = 0; first < copy.bytes; first += chunk) {
    const std::size_t bytes = std::min(chunk, copy.bytes - first);
    memory_.read(buffer_.data(), static_cast<const std::byte*>(copy.device.get()) + first, bytes);
    if (std::memcmp(buffer_.data(), static_cast<const std::byte*>(copy.source) + first, bytes) != 0)
      return false;
  }
  return true;
}

}  // namespace gpp
