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

void fields(Fields& field, RangeName& range) {
  field("domain", range.domain, any_text);
  field("name", range.name, any_text);
}

std::int64_t RangeTree::number(const std::vector<RangeName>& path) {
  std::int64_t number = 0;
  std::size_t depth = 0;
  for (const RangeName& range : path) {
    ++depth;
    if (const auto known = numbers_.find({number, range}); known != numbers_.end()) {
      number = known->second;
      continue;
    }
    const std::size_t bytes = range.domain.size() + range.name.size();
    full_ = full_ || depth > limits::range_depth || nodes_.size() >= limits::ranges ||
            bytes_ + bytes > limits::range_bytes;
    if (full_) return number;
    bytes_ += bytes;
    nodes_.push_back({number, range});
    number = numbers_[{number, range}] = size();
  }
  return number;
}

std::int64_t RangeTree::find(const std::vector<RangeName>& path) const {
  std::int64_t number = 0;
  for (const RangeName& range : path) {
    const auto known = numbers_.find({number, range});
    if (known == numbers_.end()) return -1;
    number = known->second;
  }
  return number;
}

std::vector<RangeName> RangeTree::path(std::int64_t number) const {
  std::vector<RangeName> path;
  for (; number > 0; number = (*this)[number].parent) path.push_back((*this)[number].range);
  return {path.rbegin(), path.rend()};
}

}  // namespace roofline::inject
