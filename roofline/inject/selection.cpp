#include "roofline/inject/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "roofline/inject/limits.h"

namespace roofline::inject {
namespace {

std::int64_t launch_number(const std::string& text, const std::string& whole) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1)
    throw InputError(
        fmt::format("--launch {}: numbers of launches are wanted, the first is 1: 10:20, 10: or 10",
                    visible(whole)));
  return number;
}

}  // namespace

bool Selection::everything() const {
  return kernel.empty() && nvtx.empty() && from_start && first <= 1 &&
         last == std::numeric_limits<std::int64_t>::max();
}

void read_launches(const std::string& text, Selection& selection) {
  const std::size_t colon = text.find(':');
  const std::string from = text.substr(0, colon);
  const std::string to = colon == std::string::npos ? from : text.substr(colon + 1);
  if (!from.empty()) selection.first = launch_number(from, text);
  if (!to.empty()) selection.last = launch_number(to, text);
  if (from.empty() && to.empty()) launch_number("", text);
  if (selection.last < selection.first)
    throw InputError(fmt::format("--launch {}: the last launch comes before the first", text));
}

Chooser::Chooser(const Selection& selection)
    : selection_(selection), profiling_(selection.from_start) {
  if (selection.kernel.empty()) return;
  auto compiled = std::make_unique<regex_t>();
  const int error = regcomp(compiled.get(), selection.kernel.c_str(), REG_EXTENDED | REG_NOSUB);
  std::array<char, 256> words{};
  if (error != 0) {
    regerror(error, compiled.get(), words.data(), words.size());
    throw InputError(fmt::format("--kernel {}: not a regular expression (POSIX extended): {}",
                                 visible(selection.kernel), words.data()));
  }
  expression_ = std::move(compiled);
}

Chooser::~Chooser() {
  if (expression_ != nullptr) regfree(expression_.get());
}

bool Chooser::suits(const std::string& kernel) const {
  return expression_ == nullptr || regexec(expression_.get(), kernel.c_str(), 0, nullptr, 0) == 0;
}

bool Chooser::chosen(const std::string& kernel) {
  const std::scoped_lock lock(mutex_);
  return suits(kernel) && count_one();
}

bool Chooser::count_one() {
  if (!profiling_ || !in_range()) return false;
  ++number_;
  return number_ >= selection_.first && number_ <= selection_.last;
}

std::vector<const Chooser::Open*> Chooser::all_open() const {
  std::vector<const Open*> all;
  for (const auto& [place, stack] : pushed_)
    if (place.first == std::this_thread::get_id())
      for (const Open& one : stack.ranges) all.push_back(&one);
  for (const auto& [range, one] : started_) all.push_back(&one);
  std::ranges::sort(all, {}, &Open::number);
  return all;
}

bool Chooser::in_range() const {
  return selection_.nvtx.empty() || std::ranges::any_of(all_open(), &Open::wanted);
}

void Chooser::profiler(bool on) {
  const std::scoped_lock lock(mutex_);
  profiling_ = on || selection_.from_start;
}

Chooser::Open Chooser::opened(const std::string& name, const std::string& domain_name) {
  const std::string plain = range_without_numbers(name);
  const bool wanted = name == selection_.nvtx || plain == selection_.nvtx ||
                      domain_name + "@" + plain == selection_.nvtx;
  return {++ranges_,
          {shortened(domain_name, limits::range_name), shortened(plain, limits::range_name)},
          wanted};
}

void Chooser::push(const std::string& range, const void* domain, const std::string& domain_name) {
  const std::scoped_lock lock(mutex_);
  Stack& stack = pushed_[{std::this_thread::get_id(), domain}];
  if (stack.ranges.size() < limits::open_ranges)
    stack.ranges.push_back(opened(range, domain_name));
  else
    ++stack.deeper;
}

void Chooser::pop(const void* domain) {
  const std::scoped_lock lock(mutex_);
  const auto found = pushed_.find({std::this_thread::get_id(), domain});
  if (found == pushed_.end()) return;
  Stack& stack = found->second;
  if (stack.deeper > 0)
    --stack.deeper;
  else
    stack.ranges.pop_back();
  if (stack.ranges.empty()) pushed_.erase(found);
}

void Chooser::start(std::uint64_t range, const std::string& name, const std::string& domain_name) {
  const std::scoped_lock lock(mutex_);
  if (started_.size() < limits::open_ranges) started_[range] = opened(name, domain_name);
}

void Chooser::end(std::uint64_t range) {
  const std::scoped_lock lock(mutex_);
  started_.erase(range);
}

std::vector<RangeName> Chooser::open() const {
  const std::scoped_lock lock(mutex_);
  std::vector<RangeName> names;
  for (const Open* one : all_open())
    if (names.size() < limits::range_depth) names.push_back(one->range);
  return names;
}

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

}  // namespace roofline::inject
