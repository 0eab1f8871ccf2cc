#include "harness/judge/arena.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "roofline/base/machine.h"

namespace gpp {
namespace {

constexpr std::size_t line_bytes = 256;  // arrays begin at a multiple of it
constexpr std::size_t whole = 2 << 20;   // sizes of pieces are multiples of it

std::size_t rounded(std::size_t bytes, std::size_t step) {
  return std::max<std::size_t>(1, (bytes + step - 1) / step) * step;
}

void require_memory(bool there, const char* what) {
  if (!there)
    throw std::runtime_error(
        fmt::format("memory to share with a player: {}: {}", what, std::strerror(errno)));
}

/// Large pages, where ordinary memory has them without being asked.
bool large_pages_everywhere() {
  return roofline::kernel_file("/sys/kernel/mm/transparent_hugepage/enabled").find("[always]") !=
         std::string::npos;
}

}  // namespace

std::byte* map_shared(int descriptor, std::uintptr_t address, bool writable) {
  struct stat status {};
  require_memory(fstat(descriptor, &status) == 0, "its size");
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* const wanted = reinterpret_cast<void*>(address);
  void* const memory = mmap(wanted, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                            MAP_SHARED | (address != 0 ? MAP_FIXED_NOREPLACE : 0), descriptor, 0);
  require_memory(memory != MAP_FAILED && (address == 0 || memory == wanted), "mapping it");
  if (large_pages_everywhere()) madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(memory);
}

SharedPiece share_memory(std::uintptr_t address, std::size_t bytes, bool for_reading) {
  const int descriptor = memfd_create("shared", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  require_memory(descriptor >= 0 && ftruncate(descriptor, static_cast<off_t>(bytes)) == 0,
                 "making it");
  const std::shared_ptr<std::byte> data(map_shared(descriptor, address, true),
                                        [descriptor, bytes](std::byte* memory) {
                                          munmap(memory, bytes);
                                          close(descriptor);
                                        });
  const int seals =
      F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (for_reading ? F_SEAL_FUTURE_WRITE : 0);
  require_memory(fcntl(descriptor, F_ADD_SEALS, seals) == 0, "sealing it");
  return {descriptor, bytes, data};
}

Arena::Arena(const Runtime& device, const ArenaSize& size)
    : device_(device), real_(device.memory()) {
  if (real_.is_host()) {
    inputs_.bytes = rounded(size.inputs, whole);
    outputs_.bytes = rounded(size.outputs, whole);
    pieces_ = {share_memory(inputs_at, inputs_.bytes, true),
               share_memory(outputs_at, outputs_.bytes, false)};
    inputs_.data = pieces_[0].data.get();
    outputs_.data = pieces_[1].data.get();
    return;
  }
  copies_ = dynamic_cast<const DeviceCopies*>(&real_);
  if (copies_ == nullptr)
    throw std::runtime_error("this device copies no memory that it shares with a player");
  inputs_.bytes = rounded(size.inputs + size.outputs, whole);
  inputs_.data = static_cast<std::byte*>(real_.allocate(inputs_.bytes));
  shared_ = static_cast<std::byte*>(real_.allocate(inputs_.bytes));
}

Arena::~Arena() {
  if (on_host()) return;
  real_.release(shared_);
  real_.release(inputs_.data);
}

void* Arena::take(Room& room, std::size_t bytes) const {
  const std::size_t rounded_bytes = rounded(bytes, line_bytes);
  if (rounded_bytes > room.bytes - room.taken)
    throw std::runtime_error("the memory that is shared with players is too small for this input");
  std::byte* const memory = room.data + room.taken;
  room.taken += rounded_bytes;
  ++live_;
  return memory;
}

void* Arena::allocate_output(std::size_t bytes) const {
  void* const memory = take(on_host() ? outputs_ : inputs_, bytes);
  written_.emplace_back(memory, bytes);
  return memory;
}

void Arena::release(void* memory) const noexcept {
  std::erase_if(written_, [memory](const auto& one) { return one.first == memory; });
  if (--live_ == 0) inputs_.taken = outputs_.taken = 0;
}

void Arena::wipe_outputs() const {
  const std::vector<std::byte> nothing(whole);
  for (const auto& [memory, bytes] : written_)
    for (std::size_t done = 0; done < bytes; done += whole)
      write(static_cast<std::byte*>(memory) + done, nothing.data(), std::min(whole, bytes - done));
}

void Arena::reveal() const {
  if (!on_host()) return copies_->copy(shared_, inputs_.data, inputs_.taken);
  constexpr std::size_t cache_line = 64;
  for (std::size_t at = 0; at < inputs_.taken; at += cache_line)
    static_cast<void>(*static_cast<const volatile std::byte*>(inputs_.data + at));
}

bool Arena::collect() const {
  if (on_host()) return true;
  for (const auto& [memory, bytes] : written_) {
    const auto offset = static_cast<std::byte*>(memory) - inputs_.data;
    copies_->copy(memory, shared_ + offset, rounded(bytes, line_bytes));
  }
  return copies_->same(inputs_.data, shared_, inputs_.taken);
}

}  // namespace gpp
