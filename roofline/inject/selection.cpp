#include "roofline/inject/selection.h"

#include <fmt/format.h>
#include <regex.h>

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

/// An expression of regex.h. Unlike std::regex, it uses no stack for long names.
struct Chooser::Expression {
  regex_t compiled{};

  explicit Expression(const std::string& text) {
    const int error = regcomp(&compiled, text.c_str(), REG_EXTENDED | REG_NOSUB);
    if (error == 0) return;
    std::array<char, 256> words{};
    regerror(error, &compiled, words.data(), words.size());
    throw InputError(fmt::format("--kernel {}: not a regular expression (POSIX extended): {}",
                                 visible(text), words.data()));
  }
  ~Expression() { regfree(&compiled); }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  bool found_in(const std::string& name) const {
    return regexec(&compiled, name.c_str(), 0, nullptr, 0) == 0;
  }
};

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
  if (!selection.kernel.empty()) expression_ = std::make_unique<Expression>(selection.kernel);
}

Chooser::~Chooser() = default;

bool Chooser::suits(const std::string& kernel) const {
  return expression_ == nullptr || expression_->found_in(kernel);
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

bool Chooser::in_range() const {
  if (selection_.nvtx.empty()) return true;
  if (const auto mine = pushed_.find(std::this_thread::get_id()); mine != pushed_.end())
    for (const auto& [domain, stack] : mine->second)
      if (std::ranges::any_of(stack.ranges, &Open::wanted)) return true;
  return std::ranges::any_of(started_, [](const auto& one) { return one.second.wanted; });
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
  Stack& stack = pushed_[std::this_thread::get_id()][domain];
  if (stack.ranges.size() < limits::open_ranges)
    stack.ranges.push_back(opened(range, domain_name));
  else
    ++stack.deeper;
}

void Chooser::pop(const void* domain) {
  const std::scoped_lock lock(mutex_);
  const auto mine = pushed_.find(std::this_thread::get_id());
  if (mine == pushed_.end()) return;
  const auto found = mine->second.find(domain);
  if (found == mine->second.end()) return;
  Stack& stack = found->second;
  if (stack.deeper > 0) {
    --stack.deeper;
    return;
  }
  stack.ranges.pop_back();
  if (stack.ranges.empty()) mine->second.erase(found);
  if (mine->second.empty()) pushed_.erase(mine);
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
  std::vector<const Open*> all;
  if (const auto mine = pushed_.find(std::this_thread::get_id()); mine != pushed_.end())
    for (const auto& [domain, stack] : mine->second)
      for (const Open& one : stack.ranges) all.push_back(&one);
  for (const auto& [range, one] : started_) all.push_back(&one);
  std::ranges::sort(all, {}, &Open::number);
  std::vector<RangeName> names;
  for (std::size_t i = 0; i < std::min(all.size(), std::size_t{limits::range_depth}); ++i)
    names.push_back(all[i]->range);
  return names;
}

}  // namespace roofline::inject
