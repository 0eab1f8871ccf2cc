#include "harness/measure/counting.h"

#include <fmt/format.h>

#include <utility>

namespace gpp {

roofline::Counted count_by_source(Subject& subject, const Variant& variant, const std::string& kind,
                                  const std::string& reason) {
  SourceCount found = subject.count(variant);
  if (kind == "host") found.metrics.merge(found.on_host);
  if (!found.metrics.empty()) return roofline::stated(std::move(found.metrics), reason);
  roofline::Counted counted;
  counted.reason = fmt::format("{}; nor from the source: {}", reason, found.unknown);
  return counted;
}

}  // namespace gpp
