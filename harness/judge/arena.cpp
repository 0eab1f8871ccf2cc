#include "harness/judge/arena.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstring>
#include <ctime>
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

}  // namespace

std::byte* map_shared(int descriptor, std::uintptr_t address, bool writable) {
  struct stat status {};
  require_memory(fstat(descriptor, &status) == 0, "its size");
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* const wanted = reinterpret_cast<void*>(address);
  void* const memory = mmap(wanted, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                            MAP_SHARED | (address != 0 ? MAP_FIXED_NOREPLACE : 0), descriptor, 0);
  require_memory(memory != MAP_FAILED && (address == 0 || memory == wanted), "mapping it");
  const std::string large = roofline::kernel_file("/sys/kernel/mm/transparent_hugepage/enabled");
  // Large pages, where ordinary memory has them without being asked.
  if (large.find("[always]") != std::string::npos) madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(memory);
}

Piece share_memory(std::uintptr_t address, std::size_t bytes, bool for_reading) {
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
  return {data, bytes, 0, descriptor};
}

Arena::Arena(const Runtime& device, const ArenaSize& size)
    : device_(device), real_(device.memory()) {
  if (real_.is_host()) {
    inputs_ = share_memory(inputs_at, rounded(size.inputs, whole), true);
    outputs_ = share_memory(outputs_at, rounded(size.outputs, whole), false);
    return;
  }
  copies_ = dynamic_cast<const DeviceCopies*>(&real_);
  if (copies_ == nullptr)
    throw std::runtime_error("this device copies no memory that it shares with a player");
  const std::size_t bytes = rounded(size.inputs + size.outputs, whole);
  for (Piece* const piece : {&inputs_, &shared_})
    *piece = {{static_cast<std::byte*>(real_.allocate(bytes)),
               [&real = real_](std::byte* memory) { real.release(memory); }},
              bytes};
}

void* Arena::take(Piece& piece, std::size_t bytes) const {
  const std::size_t rounded_bytes = rounded(bytes, line_bytes);
  if (rounded_bytes > piece.bytes - piece.taken)
    throw std::runtime_error("the memory that is shared with players is too small for this input");
  std::byte* const memory = piece.data.get() + piece.taken;
  piece.taken += rounded_bytes;
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
  if (!on_host()) return copies_->copy(shared_.data.get(), inputs_.data.get(), inputs_.taken);
  constexpr std::size_t cache_line = 64;
  for (std::size_t at = 0; at < inputs_.taken; at += cache_line)
    static_cast<void>(*static_cast<const volatile std::byte*>(inputs_.data.get() + at));
}

bool Arena::collect() const {
  if (on_host()) return true;
  for (const auto& [memory, bytes] : written_) {
    const auto offset = static_cast<std::byte*>(memory) - inputs_.data.get();
    copies_->copy(memory, shared_.data.get() + offset, rounded(bytes, line_bytes));
  }
  return copies_->same(inputs_.data.get(), shared_.data.get(), inputs_.taken);
}

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, double seconds) {
  timespec limit{static_cast<time_t>(seconds), 0};
  limit.tv_nsec = static_cast<long>(1e9 * (seconds - static_cast<double>(limit.tv_sec)));
  syscall(SYS_futex, &word, FUTEX_WAIT, value, seconds < 0 ? nullptr : &limit, nullptr, 0);
}

void wake(const std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace gpp
