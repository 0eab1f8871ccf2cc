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

#include "roofline/base/machine.h"

namespace gpp {
namespace {

constexpr std::size_t line_bytes = 256;  // arrays begin at a multiple of it
constexpr std::byte not_a_number{0xff};  // all bytes of a NaN, and of a whole number -1
/// Where files are looked for a place: far from what a program and its libraries take.
constexpr std::uintptr_t first_address = 0x300000000000, last_address = 0x3f0000000000;

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

std::shared_ptr<const SharedFile> made_file(std::size_t wanted, int seals) {
  const std::size_t bytes = rounded(wanted, block_bytes);
  const std::shared_ptr<SharedFile> file(
      new SharedFile{memfd_create("gpp", MFD_CLOEXEC | MFD_ALLOW_SEALING)}, [](SharedFile* one) {
        if (one->address != 0) munmap(one->data(), one->size());
        close(one->descriptor);
        delete one;
      });
  if (file->descriptor < 0) refuse("making it");
  if (ftruncate(file->descriptor, static_cast<off_t>(bytes)) != 0) refuse("its size");
  std::byte* found = nullptr;
  const std::size_t step = rounded(bytes, std::size_t{1} << 30);
  for (std::uintptr_t at = first_address; found == nullptr && at < last_address; at += step)
    found = mapped_at(at, file->descriptor, bytes, PROT_READ | PROT_WRITE);
  if (found == nullptr) throw std::bad_alloc();
  file->address = reinterpret_cast<std::int64_t>(found);
  file->bytes = static_cast<std::int64_t>(bytes);
  if (seals != 0 && fcntl(file->descriptor, F_ADD_SEALS, seals) != 0) refuse("sealing it");
  return file;
}

}  // namespace

std::size_t rounded(std::size_t bytes, std::size_t step) {
  return std::max<std::size_t>(1, (bytes + step - 1) / step) * step;
}

// ---- Files --------------------------------------------------------------------------------------

bool SharedFile::has(const void* one) const {
  const auto offset = reinterpret_cast<std::int64_t>(one) - address;
  return offset >= 0 && offset < bytes;
}

void SharedFile::map(bool writable) const {
  if (mapped_at(static_cast<std::uintptr_t>(address), descriptor, size(),
                writable ? PROT_READ | PROT_WRITE : PROT_READ) == nullptr)
    throw std::runtime_error("memory to share with the study: its place is taken");
  close(descriptor);
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

// ---- Pieces -------------------------------------------------------------------------------------

void* MemoryInPieces::take(Room& room, std::size_t bytes) const {
  const std::size_t size = rounded(bytes, line_bytes);
  if (size > room.bytes - room.taken) throw std::bad_alloc();
  std::byte* const memory = room.data + room.taken;
  room.taken += size;
  pieces_.push_back({reinterpret_cast<std::int64_t>(memory), static_cast<std::int64_t>(bytes),
                     ++versions_, &room == &outputs_});
  return memory;
}

void MemoryInPieces::release(void* memory) const noexcept {
  std::erase_if(pieces_, [memory](const PlacedPiece& one) { return one.data() == memory; });
  if (pieces_.empty()) inputs_.taken = outputs_.taken = 0;
}

void MemoryInPieces::changed(const void* at) const {
  for (PlacedPiece& piece : pieces_)
    if (at >= piece.data() && at < piece.data() + piece.bytes) piece.version = ++versions_;
}

void MemoryInPieces::spoil_outputs() const {
  const std::vector<std::byte> nothing(block_bytes, not_a_number);
  for (const PlacedPiece& piece : pieces_)
    for (std::size_t at = 0; piece.output && at < piece.size(); at += block_bytes)
      write(piece.data() + at, nothing.data(), std::min(block_bytes, piece.size() - at));
}

// ---- Of a host ----------------------------------------------------------------------------------

SharedMemory::SharedMemory(const std::optional<MemorySizes>& sealed, std::size_t mail) {
  const MemorySizes sizes = sealed.value_or(MemorySizes{bytes_of_a_file(), bytes_of_a_file()});
  const int seals = sealed ? F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL : 0;
  const std::size_t first = rounded(mail, line_bytes);
  inputs_file_ = made_file(sizes.inputs, sealed ? seals | F_SEAL_FUTURE_WRITE : 0);
  outputs_file_ = made_file(first + sizes.outputs, seals);
  inputs_ = {inputs().data(), inputs().size()};
  outputs_ = {outputs().data() + first, outputs().size() - first};
}

/// Shared memory gets large pages only on demand, ordinary memory on many machines always. Arrays
/// smaller than such a page are not worth the call: one of them is written before each run.
void SharedMemory::write(void* device, const void* host, std::size_t bytes) const {
  constexpr int collapse = 25;  // MADV_COLLAPSE of Linux 6.1, which older headers lack
  static const bool large_pages =
      roofline::kernel_file("/sys/kernel/mm/transparent_hugepage/enabled").find("[always]") !=
      std::string::npos;
  std::memcpy(device, host, bytes);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(device) % block_bytes;
  if (large_pages && bytes >= block_bytes)
    madvise(static_cast<std::byte*>(device) - before, rounded(before + bytes, block_bytes),
            collapse);
  changed(device);
}

void SharedMemory::read(void* host, const void* device, std::size_t bytes) const {
  std::memcpy(host, device, bytes);
}

}  // namespace gpp
