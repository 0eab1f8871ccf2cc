// NVTX ranges open at a launch: their names, and their tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
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

/// Nested ranges, numbered from 1 in order of appearance. 0 means outside of all.
class RangeTree {
 public:
  struct Node {
    std::int64_t parent = 0;
    RangeName range;
  };

  /// The number of the innermost of these nested ranges; new ones get numbers. That of the last one
  /// for which there is room (limits.h).
  std::int64_t number(const std::vector<RangeName>& path);
  /// The same of ranges that are all known, or -1.
  std::int64_t find(const std::vector<RangeName>& path) const;
  /// The ranges around a number, outermost first, and itself.
  std::vector<RangeName> path(std::int64_t number) const;

  std::int64_t size() const { return static_cast<std::int64_t>(nodes_.size()); }
  const Node& operator[](std::int64_t number) const {
    return nodes_[static_cast<std::size_t>(number - 1)];
  }
  /// True if there was no room for some range.
  bool full() const { return full_; }

 private:
  std::vector<Node> nodes_;
  std::map<std::pair<std::int64_t, RangeName>, std::int64_t> numbers_;
  std::size_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace roofline::inject
