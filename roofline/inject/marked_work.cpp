#include "roofline/inject/marked_work.h"

#include <cmath>

namespace roofline::inject {
namespace {

std::optional<MarkedRange> range_called(const std::string& name, std::optional<double> payload) {
  if (!name.starts_with(work_mark)) return std::nullopt;
  if (payload && !(std::isfinite(*payload) && *payload >= 0)) payload.reset();
  return MarkedRange{name.substr(work_mark.size()), payload};
}

void add_launch(const std::string& kernel, int device, MarkedRange& range) {
  if (range.launches++ == 0) {
    range.kernel = kernel;
    range.device = device;
  }
  range.several = range.several || range.kernel != kernel || range.device != device;
}

/// Nothing is told of a range in which nothing was launched.
std::optional<MarkedRange> with_launches(std::optional<MarkedRange> range) {
  return range && range->launches > 0 ? range : std::nullopt;
}

}  // namespace

void MarkedWork::push(const std::string& name, std::optional<double> payload, const void* domain) {
  const std::scoped_lock lock(mutex_);
  pushed_[std::this_thread::get_id()][domain].push_back(range_called(name, payload));
}

std::optional<MarkedRange> MarkedWork::pop(const void* domain) {
  const std::scoped_lock lock(mutex_);
  const auto mine = pushed_.find(std::this_thread::get_id());
  if (mine == pushed_.end()) return std::nullopt;
  const auto ranges = mine->second.find(domain);
  if (ranges == mine->second.end()) return std::nullopt;
  Range last = std::move(ranges->second.back());
  ranges->second.pop_back();
  if (ranges->second.empty()) mine->second.erase(ranges);
  if (mine->second.empty()) pushed_.erase(mine);
  return with_launches(std::move(last));
}

void MarkedWork::start(std::uint64_t range, const std::string& name,
                       std::optional<double> payload) {
  const std::scoped_lock lock(mutex_);
  if (const Range marks = range_called(name, payload)) started_.emplace(range, *marks);
}

std::optional<MarkedRange> MarkedWork::end(std::uint64_t range) {
  const std::scoped_lock lock(mutex_);
  const auto node = started_.extract(range);
  return node.empty() ? std::nullopt : with_launches(std::move(node.mapped()));
}

bool MarkedWork::any_open() const {
  const std::scoped_lock lock(mutex_);
  return !started_.empty() || pushed_.contains(std::this_thread::get_id());
}

void MarkedWork::launched(const std::string& kernel, int device) {
  const std::scoped_lock lock(mutex_);
  for (auto& [number, range] : started_) add_launch(kernel, device, range);
  const auto mine = pushed_.find(std::this_thread::get_id());
  if (mine == pushed_.end()) return;
  for (auto& [domain, ranges] : mine->second)
    for (Range& range : ranges)
      if (range) add_launch(kernel, device, *range);
}

}  // namespace roofline::inject
