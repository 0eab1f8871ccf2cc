#include "roofline/inject/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/inject/protocol.h"

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
  if (!suits(kernel) || !profiling_ || !in_range()) return false;
  ++number_;
  return number_ >= selection_.first && number_ <= selection_.last;
}

void Chooser::profiler(bool on) {
  const std::scoped_lock lock(mutex_);
  profiling_ = on || selection_.from_start;
}

void Chooser::begin(Open open, const std::string& name, const std::string& domain_name) {
  const std::string plain = range_without_numbers(name);
  open.wanted = name == selection_.nvtx || plain == selection_.nvtx ||
                domain_name + "@" + plain == selection_.nvtx;
  open.range = {shortened(domain_name, limits::range_name), shortened(plain, limits::range_name)};
  const std::scoped_lock lock(mutex_);
  open_.push_back(std::move(open));
  // The program never ends the oldest ones.
  if (open_.size() > limits::open_ranges) open_.erase(open_.begin());
}

void Chooser::push(const std::string& range, const void* domain, const std::string& domain_name) {
  begin({std::this_thread::get_id(), domain}, range, domain_name);
}

void Chooser::pop(const void* domain) {
  const std::scoped_lock lock(mutex_);
  const auto last = std::find_if(open_.rbegin(), open_.rend(), [domain](const Open& one) {
    return one.thread == std::this_thread::get_id() && one.domain == domain;
  });
  if (last != open_.rend()) open_.erase(std::next(last).base());
}

void Chooser::start(std::uint64_t range, const std::string& name, const std::string& domain_name) {
  begin({{}, nullptr, range}, name, domain_name);
}

void Chooser::end(std::uint64_t range) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(open_, [range](const Open& one) {
    return one.thread == std::thread::id() && one.process_range == range;
  });
}

bool Chooser::is_here(const Open& one) {
  return one.thread == std::thread::id() || one.thread == std::this_thread::get_id();
}

bool Chooser::in_range() const {
  return selection_.nvtx.empty() ||
         std::ranges::any_of(open_, [](const Open& one) { return one.wanted && is_here(one); });
}

std::vector<RangeName> Chooser::open() const {
  const std::scoped_lock lock(mutex_);
  std::vector<RangeName> names;
  for (const Open& one : open_)
    if (is_here(one) && names.size() < limits::range_depth) names.push_back(one.range);
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
