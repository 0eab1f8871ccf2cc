// Selects the launches to count: by kernel, by number, and by marks in the program, such as NVTX
// ranges.
#pragma once

#include <regex.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "roofline/record/fields.h"

namespace roofline::inject {

/// A range by its name in the program; calls with equal names are one range.
struct RangeName {
  std::string domain;  ///< NVTX domain; empty: the default one
  std::string name;

  auto operator<=>(const RangeName&) const = default;
};

void fields(Fields& field, RangeName& range);

/// A name without the numbers that PyTorch adds: "aten::mm" for "aten::mm, seq = 12".
std::string range_without_numbers(std::string_view name);

/// A launch is selected if all conditions hold.
struct Selection {
  std::string kernel;      ///< POSIX extended regular expression, searched in the name; empty: all
  std::string nvtx;        ///< name of an open NVTX range, or domain@name; empty: everywhere
  bool from_start = true;  ///< false: only between cudaProfilerStart and cudaProfilerStop
  /// Launch numbers, from 1, per process, among those that the other three select.
  std::int64_t first = 1;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();

  bool everything() const;
};

/// Parses "10:20", "10:", ":20" or "10" into first and last. Throws InputError for other texts.
void read_launches(const std::string& text, Selection& selection);

/// Decides for each launch as the program runs. Several threads may use it.
class Chooser {
 public:
  /// Throws InputError for an invalid regular expression.
  explicit Chooser(const Selection& selection);
  ~Chooser();

  /// Called when a launch begins. Numbers it and returns whether it is selected.
  bool chosen(const std::string& kernel);
  /// True if the kernel's name matches.
  bool suits(const std::string& kernel) const;

  void profiler(bool on);  ///< called by cudaProfilerStart and Stop
  /// Called when a range of this thread, in an NVTX domain, begins or ends.
  void push(const std::string& range, const void* domain = nullptr,
            const std::string& domain_name = "");
  void pop(const void* domain = nullptr);
  /// Called when a range of the whole process begins or ends.
  void start(std::uint64_t range, const std::string& name, const std::string& domain_name = "");
  void end(std::uint64_t range);

  /// The open ranges of this thread and of the process, in the order in which they began.
  std::vector<RangeName> open() const;

 private:
  struct Open {
    std::thread::id thread = {};      ///< that pushed it; none: a range of the process
    const void* domain = nullptr;     ///< of a pushed one
    std::uint64_t process_range = 0;  ///< number of a range of the process
    RangeName range = {};
    bool wanted = false;  ///< true for the selected range
  };

  void begin(Open open, const std::string& name, const std::string& domain_name);
  /// True for a range of the process or of this thread.
  static bool is_here(const Open& one);
  bool in_range() const;

  const Selection selection_;
  /// Unlike std::regex, it uses no stack for long names. Null if all names match.
  std::unique_ptr<regex_t> expression_;
  mutable std::mutex mutex_;
  bool profiling_;
  std::int64_t number_ = 0;
  std::vector<Open> open_;  // of all threads, in the order in which they began
};

}  // namespace roofline::inject
