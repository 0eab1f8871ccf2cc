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

roofline::Counted or_by_source(roofline::Counted counted, Subject& subject,
                               const Variant& variant) {
  if (counted.source != roofline::CountedBy::nobody) return counted;
  roofline::Counted computed = count_by_source(subject, variant, "gpu", counted.reason);
  counted.source = computed.source;
  counted.reason = std::move(computed.reason);
  counted.metrics = std::move(computed.metrics);
  return counted;
}

}  // namespace gpp
