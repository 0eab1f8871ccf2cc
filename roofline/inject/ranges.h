// NVTX ranges open at a launch: their names, and their tree.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace roofline::inject {

/// A range by its name in the program; calls with equal names are one range.
struct RangeName {
  std::string domain;  ///< NVTX domain; empty: the default one
  std::string name;
};

/// A name without the numbers that PyTorch adds: "aten::mm" for "aten::mm, seq = 12".
std::string range_without_numbers(std::string_view name);

/// Nested ranges, numbered from 1 in order of appearance. 0 means outside of all.
class RangeTree {
 public:
  struct Node {
    std::int64_t parent = 0;
    RangeName range;
  };

  /// The number of a range below a parent; a new range gets one. Returns the parent if there is no
  /// room (limits.h).
  std::int64_t below(std::int64_t parent, const RangeName& range);
  /// The number of a parent's range with the given name, or -1.
  std::int64_t find(std::int64_t parent, const RangeName& range) const;

  std::int64_t size() const { return static_cast<std::int64_t>(nodes_.size()); }
  const Node& operator[](std::int64_t number) const {
    return nodes_[static_cast<std::size_t>(number - 1)];
  }
  /// True if there was no room for some range.
  bool full() const { return full_; }

 private:
  std::vector<Node> nodes_;
  std::vector<int> depths_;
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::int64_t> numbers_;
  std::size_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace roofline::inject
