#include "harness/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "harness/published.h"

namespace gpp {
namespace {

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }
std::string number(std::optional<double> value) { return value ? number(*value) : ""; }

std::string row(const NamedStudy& named, const Result& result) {
  const StudyRecord& study = named.study;
  const Timing timing = result.timing();
  const auto timed = [&result](double value) { return result.timed() ? number(value) : ""; };
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                     quoted(named.name), result.model, result.variant, result.step, result.kind,
                     quoted(result.device), name_of(result.status),
                     number(result.check.max_relative_error), number(result.check.tolerance),
                     timed(timing.median), timed(timing.min), timed(timing.max),
                     timed(timing.spread()), result.samples.size(), result.clocks.throttled,
                     timed(terms_per_second(study, result)), number(speedup(study, result)),
                     number(published_v100_speedup(result.variant)), quoted(study.input.path),
                     quoted(result.reason));
}

}  // namespace

std::string csv(const std::vector<NamedStudy>& studies) {
  std::string text =
      "study,model,variant,step,kind,device,status,max_relative_error,tolerance,median_s,min_s,"
      "max_s,spread,samples,throttled_runs,terms_per_s,speedup_over_v1,published_v100_speedup,"
      "input,reason\n";
  for (const NamedStudy& named : studies)
    for (const Result& result : named.study.results) text += row(named, result);
  return text;
}

}  // namespace gpp
