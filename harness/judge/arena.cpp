#include "harness/judge/arena.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace gpp {

/// A GPU's, the inputs first.
class Arena::Far : public MemoryInPieces {
 public:
  Far(const DeviceMemory& real, const MemorySizes& size)
      : real_(real),
        own_(real, whole(size.inputs) + whole(size.outputs)),
        shared_(real, own_.bytes()) {
    inputs_ = {own_.as<std::byte>(), whole(size.inputs)};
    outputs_ = {inputs_.data + inputs_.bytes, whole(size.outputs)};
  }

  void write(void* to, const void* from, std::size_t bytes) const override {
    real_.write(to, from, bytes);
  }
  void read(void* to, const void* from, std::size_t bytes) const override {
    real_.read(to, from, bytes);
  }

  void reveal() const {
    for (const Room* const room : {&inputs_, &outputs_})
      real_.copy(shared(*room), room->data, room->taken);
  }
  bool collect() const {
    real_.copy(outputs_.data, shared(outputs_), outputs_.taken);
    return real_.same(inputs_.data, shared(inputs_), inputs_.taken);
  }
  std::vector<std::byte> name() const { return real_.name_for_others(shared_.data()); }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(own_.data()); }

 private:
  static std::size_t whole(std::size_t bytes) { return rounded(bytes, block_bytes); }
  /// As the player has it.
  std::byte* shared(const Room& room) const {
    return shared_.as<std::byte>() + (room.data - inputs_.data);
  }

  const DeviceMemory& real_;
  DeviceBuffer own_, shared_;
};

Arena::Arena(const Runtime& device, const MemorySizes& size)
    : device_(device), shared_(device.memory().is_host() ? size : MemorySizes{}, sizeof(Page)) {
  if (!device.memory().is_host()) far_ = std::make_unique<Far>(device.memory(), size);
}

Arena::~Arena() = default;

const MemoryInPieces& Arena::pieces() const {
  if (far_) return *far_;
  return shared_;
}

void Arena::reveal() const {
  if (far_) return far_->reveal();
  constexpr std::size_t cache_line = 64;
  for (std::size_t at = 0; at < shared_.taken().inputs; at += cache_line)
    static_cast<void>(*static_cast<const volatile std::byte*>(shared_.inputs().data() + at));
}

bool Arena::collect() const { return far_ == nullptr || far_->collect(); }

std::vector<std::byte> Arena::name() const { return far_->name(); }

std::uint64_t Arena::address() const { return far_->address(); }

void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value, double seconds) {
  timespec limit{static_cast<time_t>(seconds), 0};
  limit.tv_nsec = static_cast<long>(1e9 * (seconds - static_cast<double>(limit.tv_sec)));
  syscall(SYS_futex, &word, FUTEX_WAIT, value, seconds < 0 ? nullptr : &limit, nullptr, 0);
}

void wake(const std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace gpp
