// Reading memory as fast as the core can.
#pragma once

#include <cstddef>

namespace roofline::host {

/// Working sets are multiples of this.
inline constexpr std::size_t read_granule = 1024;

/// Memory of one thread, in large pages where the system gives them. Untouched.
class Buffer {
 public:
  /// Throws std::runtime_error when there is not enough.
  explicit Buffer(std::size_t bytes);
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Writes every page: the memory becomes this thread's, on its own NUMA node.
  void touch() const;

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Loads the first `bytes` of the data, `passes` times over, with full vectors, as four streams
/// side by side. Each vector is ORed into one of eight registers, which no processor does slower
/// than it loads.
void read_passes(const std::byte* data, std::size_t bytes, long long passes);

}  // namespace roofline::host
