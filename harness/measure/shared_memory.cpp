#include "harness/measure/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>

namespace gpp {
namespace {

constexpr std::size_t line_bytes = 256;  // arrays begin at a multiple of it
constexpr int not_a_number = 0xff;       // all bytes of a NaN, and of a whole number -1
/// Where files are looked for a place: far from what a program and its libraries take.
constexpr std::uintptr_t first_address = 0x300000000000, last_address = 0x3f0000000000;

std::size_t rounded(std::size_t bytes, std::size_t step) {
  return (bytes + step - 1) / step * step;
}

/// More than is ever placed at a time. Files of several runtimes find room among the addresses.
std::size_t bytes_of_a_file() {
  constexpr std::size_t most = std::size_t{1} << 40;
  return std::min(most, 4 * static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                            static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

[[noreturn]] void refuse(const char* what) {
  throw std::runtime_error(
      fmt::format("memory to share with workers: {}: {}", what, std::strerror(errno)));
}

/// Null where something lies there.
std::byte* mapped_at(std::uintptr_t address, int descriptor, std::size_t bytes, int protection) {
  void* const wanted = reinterpret_cast<void*>(address);
  void* const memory = mmap(wanted, bytes, protection,
                            MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, descriptor, 0);
  if (memory == MAP_FAILED && errno == EEXIST) return nullptr;
  if (memory == MAP_FAILED) refuse("mapping it");
  if (memory == wanted) return static_cast<std::byte*>(memory);
  munmap(memory, bytes);  // a kernel that takes the address for a wish
  return nullptr;
}

}  // namespace

bool SharedFile::has(const void* one) const {
  const auto offset = reinterpret_cast<std::int64_t>(one) - address;
  return offset >= 0 && offset < bytes;
}

void SharedFile::map(bool writable) const {
  if (mapped_at(static_cast<std::uintptr_t>(address), descriptor, size(),
                writable ? PROT_READ | PROT_WRITE : PROT_READ) == nullptr)
    throw std::runtime_error("memory to share with the study: its place is taken");
}

void fields(roofline::Fields& field, SharedFile& file) {
  field("descriptor", file.descriptor, roofline::Whole{0, std::numeric_limits<int>::max()});
  field("address", file.address, roofline::any_size);
  field("bytes", file.bytes, roofline::any_size);
}

void fields(roofline::Fields& field, PlacedPiece& piece) {
  field("address", piece.address, roofline::any_size);
  field("bytes", piece.bytes, roofline::any_size);
  field("version", piece.version, roofline::any_size);
  field("output", piece.output);
}

SharedMemory::Room::Room(std::size_t all_first) : first(all_first), taken(all_first) {
  file.bytes = static_cast<std::int64_t>(bytes_of_a_file());
  file.descriptor = memfd_create("gpp", MFD_CLOEXEC);
  if (file.descriptor < 0) refuse("making it");
  if (ftruncate(file.descriptor, file.bytes) != 0) refuse("its size");
  const std::size_t step = rounded(file.size(), std::size_t{1} << 30);
  std::byte* found = nullptr;
  for (std::uintptr_t at = first_address; found == nullptr && at < last_address; at += step)
    found = mapped_at(at, file.descriptor, file.size(), PROT_READ | PROT_WRITE);
  if (found == nullptr) throw std::bad_alloc();
  file.address = reinterpret_cast<std::int64_t>(found);
}

SharedMemory::Room::~Room() {
  munmap(file.data(), file.size());
  close(file.descriptor);
}

void* SharedMemory::take(Room& room, std::size_t bytes) const {
  const std::size_t size = rounded(std::max<std::size_t>(1, bytes), line_bytes);
  if (size > room.file.size() - room.taken) throw std::bad_alloc();
  std::byte* const memory = room.file.data() + room.taken;
  room.taken += size;
  pieces_.push_back({reinterpret_cast<std::int64_t>(memory), static_cast<std::int64_t>(bytes),
                     ++versions_, &room == &outputs_});
  return memory;
}

/// Whole pages of it are the system's again.
void SharedMemory::release(void* memory) const noexcept {
  const auto found = std::ranges::find_if(
      pieces_, [memory](const PlacedPiece& one) { return one.data() == memory; });
  if (found == pieces_.end()) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const Room& room = found->output ? outputs_ : inputs_;
  const auto offset = static_cast<std::size_t>(found->data() - room.file.data());
  const std::size_t first = rounded(offset, page), end = (offset + found->size()) / page * page;
  if (end > first)
    fallocate(room.file.descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(first), static_cast<off_t>(end - first));
  pieces_.erase(found);
  if (!pieces_.empty()) return;
  inputs_.taken = inputs_.first;
  outputs_.taken = outputs_.first;
}

void SharedMemory::write(void* device, const void* host, std::size_t bytes) const {
  std::memcpy(device, host, bytes);
  for (PlacedPiece& piece : pieces_)
    if (device >= piece.data() && device < piece.data() + piece.bytes) piece.version = ++versions_;
}

void SharedMemory::read(void* host, const void* device, std::size_t bytes) const {
  std::memcpy(host, device, bytes);
}

void SharedMemory::spoil_outputs() const {
  for (const PlacedPiece& piece : pieces_)
    if (piece.output) std::memset(piece.data(), not_a_number, piece.size());
}

}  // namespace gpp
