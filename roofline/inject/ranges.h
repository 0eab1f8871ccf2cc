// NVTX ranges that are open around launches: their names, and the tree that they make.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace roofline::inject {

/// A range as the program named it; calls of the same name are one range.
struct RangeName {
  std::string domain;  ///< of NVTX; empty: the default one
  std::string name;
};

/// The name without numbers that PyTorch gives each call: "aten::mm" of "aten::mm, seq = 12".
std::string range_without_numbers(std::string_view name);

/// Ranges within ranges, numbered from 1 in the order in which they are met. 0 is outside of all.
class RangeTree {
 public:
  struct Node {
    std::int64_t parent = 0;
    RangeName range;
  };

  /// The number of a range below another, which it may get here. Where there is no room for one
  /// more (limits.h) it is the other.
  std::int64_t below(std::int64_t parent, const RangeName& range);
  /// The number of that range where it is known, else -1.
  std::int64_t find(std::int64_t parent, const RangeName& range) const;

  std::int64_t size() const { return static_cast<std::int64_t>(nodes_.size()); }
  const Node& operator[](std::int64_t number) const {
    return nodes_[static_cast<std::size_t>(number - 1)];
  }
  /// Whether a range found no room.
  bool full() const { return full_; }

 private:
  std::vector<Node> nodes_;
  std::vector<int> depths_;
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::int64_t> numbers_;
  std::size_t bytes_ = 0;
  bool full_ = false;
};

}  // namespace roofline::inject
