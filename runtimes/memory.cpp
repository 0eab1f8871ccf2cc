#include "runtimes/memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "roofline/base/units.h"
#include "runtimes/runtime.h"

namespace gpp {
namespace {

constexpr std::size_t chunk = 1 << 20;     // bytes compared at a time
constexpr std::align_val_t alignment{64};  // host memory is aligned to cache lines

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
  bool is_host() const override { return true; }
};

}  // namespace

std::vector<std::byte> DeviceMemory::name_for_others(void* /*memory*/) const {
  throw std::runtime_error("This device shares no memory with another process.");
}

void* DeviceMemory::open_by_name(const std::vector<std::byte>& /*name*/) const {
  throw std::runtime_error("This device shares no memory with another process.");
}

void DeviceMemory::gather(const RowGather& rows) const {
  const auto height = static_cast<std::size_t>(rows.height);
  const auto count = static_cast<std::size_t>(rows.count);
  const auto columns = static_cast<std::size_t>(rows.columns);
#pragma omp parallel for
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < count; ++i) {
      const int row = rows.rows[i];
      for (std::size_t part = 0; part < 2; ++part) {
        const double value =
            row < 0 ? 0.0 : rows.from[2 * (static_cast<std::size_t>(row) + height * j) + part];
        rows.to[2 * (i + count * j) + part] = value;
        if (rows.to_transposed != nullptr) rows.to_transposed[2 * (j + columns * i) + part] = value;
      }
    }
}

const DeviceMemory& host_memory() {
  static const HostMemory memory;
  return memory;
}

DeviceBuffer::DeviceBuffer(const DeviceMemory& memory, std::size_t bytes)
    : memory_(bytes == 0 ? nullptr : memory.allocate(bytes), Release{&memory}), bytes_(bytes) {}

void* PlacedArrays::add(const char* name, const void* source, std::size_t bytes) {
  copies_.push_back({name, source, allocate(bytes), bytes});
  memory_.write(copies_.back().device.get(), source, bytes);
  return copies_.back().device.get();
}

void* PlacedArrays::add_output(std::size_t bytes) {
  outputs_.push_back({memory_.allocate_output(bytes), Release{&memory_}});
  void* const output = outputs_.back().get();
  // Reused memory may hold a correct answer of an earlier run, which would hide a missing write. So
  // its beginning is set to NaN; the rest stays untouched for the threads that write it first.
  const std::vector<std::byte> no_number(std::min<std::size_t>(bytes, 1 << 20), std::byte{0xff});
  memory_.write(output, no_number.data(), no_number.size());
  return output;
}

void PlacedArrays::rewrite(const void* source) {
  for (const Copy& copy : copies_)
    if (copy.source == source) memory_.write(copy.device.get(), source, copy.bytes);
}

void* PlacedArrays::replace(const char* name, const void* source) {
  const auto copy = std::ranges::find_if(
      copies_, [name](const Copy& one) { return std::strcmp(one.name, name) == 0; });
  if (std::exchange(copy->source, source) != source)
    memory_.write(copy->device.get(), source, copy->bytes);
  return copy->device.get();
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

void require_device_memory(long long needed, long long free_bytes) {
  if (free_bytes <= 0 || needed <= free_bytes) return;
  throw std::runtime_error("The problem takes " + roofline::describe_bytes(needed) +
                           " of device memory, but only " + roofline::describe_bytes(free_bytes) +
                           " are free. Choose a smaller input, or free the device "
                           "(nvidia-smi shows who uses it).");
}

}  // namespace gpp
