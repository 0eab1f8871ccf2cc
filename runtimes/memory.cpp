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

[[noreturn]] void refuse_to_confine() {
  throw std::runtime_error(
      "Work of this model cannot be confined to a part of its device: OpenMP on GPUs keeps to the "
      "device's own context. Take the models cuda or thrust.");
}

[[noreturn]] void refuse_to_share() {
  throw std::runtime_error("This device shares no memory with another process.");
}

}  // namespace

std::vector<std::byte> DeviceMemory::name_for_others(void*) const { refuse_to_share(); }
void* DeviceMemory::open_by_name(const std::vector<std::byte>&) const { refuse_to_share(); }
void DeviceMemory::copy(void*, const void*, std::size_t) const { refuse_to_share(); }
bool DeviceMemory::same(const void*, const void*, std::size_t) const { refuse_to_share(); }

void DeviceMemory::gather(const RowGather& rows) const {
#pragma omp parallel for
  for (long long j = 0; j < rows.columns; ++j)
    for (long long i = 0; i < rows.count; ++i)
      for (int part = 0; part < 2; ++part) rows.set(i, j, part);
}

const DeviceMemory& host_memory() {
  static const HostMemory memory;
  return memory;
}

void* PlacedArrays::add(const char* name, const void* source, std::size_t bytes) {
  copies_.push_back({name, source, DeviceBuffer(memory_, bytes)});
  write(copies_.back());
  return copies_.back().device.data();
}

void* PlacedArrays::add_output(std::size_t bytes) {
  void* const output = memory_.allocate_output(bytes);
  outputs_.emplace_back(memory_, output, bytes);
  // Reused memory may hold a correct answer of an earlier run, which would hide a missing write. So
  // its beginning is set to NaN; the rest stays untouched for the threads that write it first.
  const std::vector<std::byte> no_number(std::min<std::size_t>(bytes, 1 << 20), std::byte{0xff});
  memory_.write(output, no_number.data(), no_number.size());
  return output;
}

void PlacedArrays::rewrite(const void* source) {
  for (const Copy& copy : copies_)
    if (copy.source == source) write(copy);
}

void* PlacedArrays::replace(const char* name, const void* source) {
  const auto copy = std::ranges::find_if(
      copies_, [name](const Copy& one) { return std::strcmp(one.name, name) == 0; });
  if (std::exchange(copy->source, source) != source) write(*copy);
  return copy->device.data();
}

std::string PlacedArrays::repair() {
  std::string changed;
  for (const Copy& copy : copies_) {
    if (intact(copy)) continue;
    write(copy);
    if (changed.empty()) changed = copy.name;
  }
  return changed;
}

bool PlacedArrays::intact(const Copy& copy) const {
  std::vector<std::byte> buffer(chunk);
  for (std::size_t first = 0; first < copy.device.bytes(); first += chunk) {
    const std::size_t bytes = std::min(chunk, copy.device.bytes() - first);
    memory_.read(buffer.data(), copy.device.as<std::byte>() + first, bytes);
    if (std::memcmp(buffer.data(), static_cast<const std::byte*>(copy.source) + first, bytes) != 0)
      return false;
  }
  return true;
}

int Runtime::confine(int) const { refuse_to_confine(); }
void Runtime::beside_waiting_blocks(int, double, const std::function<void()>&) const {
  refuse_to_confine();
}

std::string cuda_version_text(int version) {
  return "CUDA " + std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void require_device_memory(long long needed, long long free_bytes) {
  if (free_bytes <= 0 || needed <= free_bytes) return;
  throw std::runtime_error("The problem takes " + roofline::describe_bytes(needed) +
                           " of device memory, but only " + roofline::describe_bytes(free_bytes) +
                           " are free. Choose a smaller input, or free the device "
                           "(nvidia-smi shows who uses it).");
}

}  // namespace gpp
