// The host as a device, and what all devices have in common.

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/host/team.h"
#include "runtimes/memory.h"
#include "runtimes/runtime.h"
#include "runtimes/threads.h"

namespace gpp {
namespace {

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

class HostRuntime : public Runtime {
 public:
  HostRuntime() {
#ifndef __clang__
    // With OMP_TARGET_OFFLOAD=mandatory, GCC 13 ends a program whose target regions run on the
    // host, unless the host is the default device. Such a program has no other device.
    omp_set_default_device(omp_get_initial_device());
#endif
  }

  DeviceDescription describe() const override {
    DeviceDescription device;
    device.name = roofline::host::this_processor(roofline::allowed_cpus()).name;
    device.kind = "host";
    device.units = roofline::available_cores();
    device.memory_bytes = 1LL * sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
#if defined(__AVX512F__)
    device.architecture = "x86-64 AVX-512";
#elif defined(__AVX2__)
    device.architecture = "x86-64 AVX2";
#elif defined(__x86_64__)
    device.architecture = "x86-64";
#elif defined(__aarch64__)
    device.architecture = "aarch64";
#endif
    return device;
  }

  long long free_bytes() const override { return roofline::available_memory(); }

  const DeviceMemory& memory() const override { return host_memory(); }

  Pulse pulse(double /*seconds*/) const override {
    const std::string clock = roofline::host::cpuinfo()["cpu MHz"];
    return {clock.empty() ? 0.0 : std::stod(clock)};
  }

  /// A host's cores are chosen at program start, because OpenMP reads them only once.
  int confine(int units) const override {
    const int cores = roofline::available_cores();
    if (units <= 0) return cores;
    if (const int threads = openmp_threads(); cores != units || threads != units)
      throw std::runtime_error(
          fmt::format("This program was to run on {} cores, but may use {} and starts {} threads: "
                      "OMP_THREAD_LIMIT and OMP_DYNAMIC must leave them as they are.",
                      units, cores, threads));
    return cores;
  }
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

const Runtime& host_runtime() {
  static const HostRuntime runtime;
  return runtime;
}

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
  constexpr std::size_t chunk = 1 << 20;  // bytes compared at a time
  std::vector<std::byte> buffer(chunk);
  for (std::size_t first = 0; first < copy.device.bytes(); first += chunk) {
    const std::size_t bytes = std::min(chunk, copy.device.bytes() - first);
    memory_.read(buffer.data(), copy.device.as<std::byte>() + first, bytes);
    if (std::memcmp(buffer.data(), static_cast<const std::byte*>(copy.source) + first, bytes) != 0)
      return false;
  }
  return true;
}

double Runtime::time(const std::function<void()>& call) const {
  const double start = roofline::steady_seconds();
  call();
  return roofline::steady_seconds() - start;
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
