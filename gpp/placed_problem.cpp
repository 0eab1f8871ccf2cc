#include "gpp/placed_problem.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <type_traits>

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

PlacedProblem::PlacedProblem(const PreparedProblem& problem, const DeviceMemory& memory)
    : memory_(memory),
      vcoul_loc_(problem.view().vcoul_loc),
      vcoul_(vcoul_loc_.data, vcoul_loc_.data + vcoul_loc_.size) {
  view_ = relocate(problem.view(), [this](const char* name, auto array) {
    using Element = std::remove_const_t<std::remove_pointer_t<decltype(array.data)>>;
    if (array.count() == 0) return array;
    const bool is_vcoul = static_cast<const void*>(array.data) == vcoul_loc_.data;
    const void* source = is_vcoul ? static_cast<const void*>(vcoul_.data()) : array.data;
    const std::size_t bytes = array.count() * sizeof(Element);
    copies_.push_back({name, source, {memory_.allocate(bytes), Release{&memory_}}, bytes});
    void* const device = copies_.back().device.get();
    memory_.write(device, source, bytes);
    array.data = static_cast<const Element*>(device);
    return array;
  });
}

void PlacedProblem::reweight(const std::vector<double>& factors) {
  for (std::size_t igp = 0; igp < vcoul_.size(); ++igp)
    vcoul_[igp] = factors[igp] * vcoul_loc_.data[igp];
  for (const Copy& copy : copies_)
    if (copy.source == vcoul_.data()) memory_.write(copy.device.get(), copy.source, copy.bytes);
}

std::string PlacedProblem::repair() {
  std::string changed;
  for (const Copy& copy : copies_) {
    if (intact(copy)) continue;
    memory_.write(copy.device.get(), copy.source, copy.bytes);
    if (changed.empty()) changed = copy.name;
  }
  return changed;
}

bool PlacedProblem::intact(const Copy& copy) {
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
