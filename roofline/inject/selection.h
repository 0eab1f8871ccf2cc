// Chooses the launches of a program that are counted: by kernel, by number, and by marks that the
// program sets.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "roofline/inject/ranges.h"

namespace roofline::inject {

/// A launch is chosen where all of it holds.
struct Selection {
  std::string kernel;      ///< POSIX extended regular expression, found in the name; empty: any
  std::string nvtx;        ///< name of an NVTX range that is open, or domain@name; empty: anywhere
  bool from_start = true;  ///< else between cudaProfilerStart and cudaProfilerStop alone
  /// Numbers of launches, from 1, within each process, among those that the three above choose.
  std::int64_t first = 1;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();

  bool everything() const;
};

/// Reads "10:20", "10:", ":20" or "10" as first and last. Throws InputError for anything else.
void read_launches(const std::string& text, Selection& selection);

/// Decides launch by launch, as the program goes. May be asked by several threads.
class Chooser {
 public:
  /// Throws InputError where the regular expression is none.
  explicit Chooser(const Selection& selection);
  ~Chooser();

  /// A launch begins: whether it is chosen. It gets its number here.
  bool chosen(const std::string& kernel);
  /// Whether the name suits.
  bool suits(const std::string& kernel) const;

  void profiler(bool on);  ///< cudaProfilerStart and Stop
  /// A range of the calling thread, in one of NVTX's domains, begins or ends.
  void push(const std::string& range, const void* domain = nullptr,
            const std::string& domain_name = "");
  void pop(const void* domain = nullptr);
  /// A range of the whole process begins or ends.
  void start(std::uint64_t range, const std::string& name, const std::string& domain_name = "");
  void end(std::uint64_t range);

  /// The ranges that are open for the calling thread, in the order in which they began: its own,
  /// and those of the whole process.
  std::vector<RangeName> open() const;

 private:
  struct Open {
    std::int64_t number = 0;  ///< later ones have larger numbers
    RangeName range;
    bool wanted = false;  ///< it is the one asked
  };
  /// The open ranges of one thread and domain. Ranges deeper than are remembered are only numbered.
  struct Stack {
    std::vector<Open> ranges;
    std::size_t deeper = 0;
  };

  Open opened(const std::string& name, const std::string& domain_name);
  bool in_range() const;
  bool count_one();

  const Selection selection_;
  struct Expression;
  std::unique_ptr<Expression> expression_;  // none where any name suits
  mutable std::mutex mutex_;
  bool profiling_;
  std::int64_t number_ = 0;
  std::int64_t ranges_ = 0;  // begun until now
  std::map<std::thread::id, std::map<const void*, Stack>> pushed_;
  std::map<std::uint64_t, Open> started_;
};

}  // namespace roofline::inject
