// Work that a program marks itself: an NVTX range called "roofline:fp64" or "roofline:dram", whose
// payload is the number of operations or bytes of all launches within it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace roofline::inject {

/// Names of ranges that mark work begin so; a precision or a level of memory follows.
inline constexpr std::string_view work_mark = "roofline:";

/// A range that marks work, and what was launched in it.
struct MarkedRange {
  std::string what;
  std::optional<double> amount;  ///< none where the range bears no number, or a negative one
  std::int64_t launches = 0;
  std::string kernel = {};  ///< of these launches; of the first where there are several
  int device = 0;           ///< of these launches
  bool several = false;     ///< kernels or devices: whose work it is cannot be told
};

/// Follows ranges and launches. May be asked by several threads.
class MarkedWork {
 public:
  /// A range of the calling thread, in one of NVTX's domains, begins or ends.
  void push(const std::string& name, std::optional<double> payload, const void* domain);
  /// The range, where it marks work and something was launched in it.
  std::optional<MarkedRange> pop(const void* domain);
  /// Starts a range of the whole process.
  void start(std::uint64_t range, const std::string& name, std::optional<double> payload);
  std::optional<MarkedRange> end(std::uint64_t range);

  /// Whether a range of this thread or of the process marks work.
  bool any_open() const;
  void launched(const std::string& kernel, int device);

 private:
  using Range = std::optional<MarkedRange>;  ///< empty: it marks nothing

  mutable std::mutex mutex_;
  std::map<std::thread::id, std::map<const void*, std::vector<Range>>> pushed_;
  std::map<std::uint64_t, MarkedRange> started_;
};

}  // namespace roofline::inject
