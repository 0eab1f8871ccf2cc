// NVTX ranges of a profile.
#include <algorithm>

#include "roofline/base/saturating.h"
#include "roofline/profile.h"

namespace roofline {

namespace {

/// Adds a part's missing values, with the part's name, unless the sum already has them.
void add_missing(const std::vector<Missing>& missing, const std::string& of, KernelProfile& sum) {
  for (const Missing& one : missing) {
    if (std::ranges::find(sum.missing, one.name, &Missing::name) != sum.missing.end()) continue;
    const bool of_part = !of.empty() && one.reason.find(" in it") != one.reason.npos &&
                         !one.reason.starts_with("in ");
    sum.missing.push_back({one.name, of_part ? "in " + of + ": " + one.reason : one.reason});
  }
}

}  // namespace

void add_part(const KernelProfile& part, KernelProfile& sum, const std::string& of) {
  if (part.launches == 0) return;
  add_missing(part.missing, of, sum);
  if (sum.launches == 0) {
    sum.launches = part.launches;
    sum.seconds = part.seconds;
    sum.counters = part.counters;
    return;
  }
  sum.launches = saturating_sum(sum.launches, part.launches);
  if (sum.seconds && part.seconds)
    *sum.seconds += *part.seconds;
  else
    sum.seconds.reset();
  std::erase_if(sum.counters,
                [&part](const auto& one) { return !part.counters.contains(one.first); });
  for (auto& [name, value] : sum.counters) value += part.counters.at(name);
}

void add_up_ranges(std::vector<RangeProfile>& ranges) {
  for (RangeProfile& range : ranges) {
    range.all = {};
    range.all.name = range.own.name = range_text(range);
    add_part(range.own, range.all);
  }
  // Nested ranges come after their parent: going backwards, each is complete when it is added.
  for (std::size_t i = ranges.size(); i-- > 0;)
    if (const int parent = ranges[i].parent; parent >= 0)
      add_part(ranges[i].all, ranges[static_cast<std::size_t>(parent)].all, range_text(ranges[i]));
}

std::string range_text(const RangeProfile& range) {
  if (range.name.empty() && range.domain.empty() && range.parent < 0) return "(outside of ranges)";
  return range.domain.empty() ? range.name : range.domain + "@" + range.name;
}

std::string range_path(const Profile& profile, int range) {
  std::string path;
  for (; range >= 0; range = profile.ranges[static_cast<std::size_t>(range)].parent) {
    const std::string text = range_text(profile.ranges[static_cast<std::size_t>(range)]);
    path = path.empty() ? text : text + " / " + path;
  }
  return path;
}

void fields(Fields& field, RangeKernel& kernel) {
  field("name", kernel.name, any_text, "whole, as the compiler wrote it");
  field("launches", kernel.launches, Whole{1, bounds::large}, "in the timed run");
  field("seconds", kernel.seconds, bounds::seconds, "of these");
}

void fields(Fields& field, RangeProfile& range) {
  field("domain", range.domain, any_text, "of NVTX; empty: the default one");
  field("name", range.name, any_text, "empty: what was launched outside of all ranges");
  field("parent", range.parent, Whole{-1}, "in 'ranges', from 0; -1: none");
  field("launches", range.own.launches, any_size, "directly in it");
  field("seconds", range.own.seconds, bounds::seconds, "of these; null: not known");
  field("counters", range.own.counters, OrNull{bounds::count}, "raw, sums over these");
  field("missing", range.own.missing, NoRule{}, "what is not known, and why");
  field("notes", range.own.notes, any_text, "what to know of its numbers");
  field(may_lack("kernels"), range.kernels, "launched directly in it");
}

}  // namespace roofline
