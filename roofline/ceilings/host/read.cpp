#include "roofline/ceilings/host/read.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "roofline/ceilings/host/vector.h"

namespace roofline::host {

Buffer::Buffer(std::size_t bytes) : size_(bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error(fmt::format(
        "There is too little memory for the bandwidth sweep: {} bytes could not be had.", bytes));
  madvise(memory, bytes, MADV_HUGEPAGE);  // advice: fewer TLB misses where it is taken
  data_ = static_cast<std::byte*>(memory);
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, size_);
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

void Buffer::touch() const { std::memset(data_, 1, size_); }

void read_passes(const std::byte* data, std::size_t bytes, long long passes) {
  using Vector = VectorOf<long long>::type;
  constexpr std::size_t registers = 8;
  constexpr std::size_t loads = read_granule / sizeof(Vector);
  // Prefetchers follow each stream a little ahead: one alone does not fill the memory's channels.
  constexpr std::size_t streams = 4;
  constexpr std::size_t of_stream = loads / streams;
  const std::size_t part = bytes / sizeof(Vector) / streams;
  [=]<std::size_t... i>(std::index_sequence<i...>) mutable {
    std::array<Vector, registers> seen{};
    for (long long pass = 0; pass < passes; ++pass) {
      asm volatile("" : "+r"(data));  // another pass is another pass
      const auto* vectors = reinterpret_cast<const Vector*>(data);
      const auto* end = vectors + part;
      for (; vectors != end; vectors += of_stream)
        ((seen[i % registers] |= vectors[i / of_stream * part + i % of_stream]), ...);
    }
    volatile long long sink = 0;
    for (const Vector& one : seen) sink = sink | one[0];
  }
  (std::make_index_sequence<loads>{});
}

}  // namespace roofline::host
