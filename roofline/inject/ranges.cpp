#include "roofline/inject/ranges.h"

#include "roofline/inject/limits.h"

namespace roofline::inject {

std::string range_without_numbers(std::string_view name) {
  // The text after the list of inputs differs for each call.
  std::string text(name.substr(0, name.find(", input_op_ids = ")));
  for (const std::string_view key : {", seq = ", ", op_id = "}) {
    const std::size_t begin = text.find(key);
    if (begin == text.npos) continue;
    const std::size_t end = text.find_first_not_of("0123456789", begin + key.size());
    if (end == begin + key.size()) continue;
    text.erase(begin, end == text.npos ? end : end - begin);
  }
  return text;
}

std::int64_t RangeTree::find(std::int64_t parent, const RangeName& range) const {
  const auto known = numbers_.find({parent, range.domain, range.name});
  return known == numbers_.end() ? -1 : known->second;
}

std::int64_t RangeTree::below(std::int64_t parent, const RangeName& range) {
  if (const std::int64_t known = find(parent, range); known > 0) return known;
  const int depth = parent > 0 ? depths_[static_cast<std::size_t>(parent - 1)] + 1 : 1;
  const std::size_t bytes = range.domain.size() + range.name.size();
  if (depth > limits::range_depth || nodes_.size() >= limits::ranges ||
      bytes_ + bytes > limits::range_bytes) {
    full_ = true;
    return parent;
  }
  bytes_ += bytes;
  nodes_.push_back({parent, range});
  depths_.push_back(depth);
  return numbers_[{parent, range.domain, range.name}] = size();
}

}  // namespace roofline::inject
