// A model of a processor's data caches: what each level moves for a sequence of accesses.
//
// Every level is set-associative and replaces the line that was used longest ago. A missing line is
// fetched through all levels and kept in each; a changed line is written back when it leaves. There
// are no prefetches (they change when a line comes, hardly which) and no other user of the caches.
// Source of the terms: Hennessy and Patterson, "Computer Architecture", appendix B.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace roofline {

/// A level of cache as one core sees it.
struct CacheShape {
  int level = 0;
  std::size_t bytes = 0;
  int ways = 0;
  int line = 64;  ///< bytes, a power of two
};

class CacheModel {
 public:
  /// Nearest level first; each with at least one set.
  explicit CacheModel(const std::vector<CacheShape>& shapes) {
    for (const CacheShape& shape : shapes) levels_.emplace_back(shape);
  }

  void access(std::uint64_t address, std::size_t bytes, bool write) {
    if (levels_.empty() || bytes == 0) return;
    moved_ += bytes;
    const std::uint64_t first = address / line();
    const std::uint64_t last = (address + bytes - 1) / line();
    for (std::uint64_t line = first; line <= last; ++line) touch(0, line, write);
  }

  /// Bytes between the arithmetic and the nearest level.
  double moved() const { return static_cast<double>(moved_); }
  /// Bytes between level i, 0 the nearest, and what lies behind it, in both directions.
  double moved_behind(std::size_t level) const {
    return static_cast<double>(levels_[level].lines) * static_cast<double>(line());
  }
  std::size_t levels() const { return levels_.size(); }

  /// Changed lines that still lie in the caches go where they belong.
  void write_back() {
    for (std::size_t level = 0; level < levels_.size(); ++level)
      for (Way& way : levels_[level].ways)
        if (way.line != none && way.changed) {
          way.changed = false;
          ++levels_[level].lines;
          if (level + 1 < levels_.size()) touch(level + 1, way.line, true);
        }
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  struct Way {
    std::uint64_t line = none;
    bool changed = false;
  };

  struct Level {
    explicit Level(const CacheShape& shape)
        : associativity(static_cast<std::size_t>(std::max(shape.ways, 1))),
          line(static_cast<std::size_t>(std::max(shape.line, 1))),
          sets(std::max<std::size_t>(1, shape.bytes / (associativity * line))),
          ways(sets * associativity) {}
    std::size_t associativity, line, sets;
    std::vector<Way> ways;    // of a set side by side, the last used first
    std::uint64_t lines = 0;  // moved between this level and the next
  };

  std::size_t line() const { return levels_.front().line; }

  void touch(std::size_t level, std::uint64_t line, bool write) {
    Level& cache = levels_[level];
    Way* set = &cache.ways[line % cache.sets * cache.associativity];
    Way* const end = set + cache.associativity;
    Way* found = std::find_if(set, end, [line](const Way& way) { return way.line == line; });
    if (found == end) {
      found = end - 1;
      const Way leaves = *found;
      *found = {line, false};
      ++cache.lines;
      if (level + 1 < levels_.size()) touch(level + 1, line, false);
      if (leaves.line != none && leaves.changed) {
        ++cache.lines;
        if (level + 1 < levels_.size()) touch(level + 1, leaves.line, true);
      }
    }
    found->changed |= write;
    std::rotate(set, found, found + 1);
  }

  std::vector<Level> levels_;
  std::uint64_t moved_ = 0;
};

/// The caches of the core that a CPU belongs to, nearest first. A cache that cores share is given
/// whole.
/// Empty where the system does not tell. `system`: the folder of the CPU, "/sys/devices/...".
std::vector<CacheShape> host_caches(
    const std::filesystem::path& system = "/sys/devices/system/cpu/cpu0/cache");

}  // namespace roofline
