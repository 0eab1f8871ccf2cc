#include "harness/teach/outcome.h"

#include <fmt/format.h>

#include <algorithm>

#include "roofline/models/model_table.h"
#include "roofline/verdict.h"

namespace gpp {
namespace {

/// Why a result says nothing; empty where it was timed.
std::string not_timed(const Result& result) {
  if (result.timed()) return {};
  if (result.status == Status::passed) return fmt::format("{} was not timed", result.variant);
  return fmt::format("{} {}: {}", result.variant,
                     result.status == Status::failed ? "failed" : "did not run", result.reason);
}

/// The operations of the precision with most of them; 0: not known.
double most_operations(const Result& result) {
  if (result.roofline() != nullptr) return result.roofline()->flop;
  double most = 0;
  for (const roofline::Model& model : roofline::table_of(result.kind).models)
    most = std::max(most, roofline::metric_value(result.counted.metrics, model.work).value_or(0));
  return most;
}

/// Takes one fact, or why it is not there.
class Facts {
 public:
  explicit Facts(Outcome& outcome) : outcome_(outcome) {}

  void know(Asked asked, Guess value) { outcome_.known[asked] = std::move(value); }
  void range(double low, double high) { outcome_.speedup_range = {low, high}; }
  void lack(Asked asked, std::string why) { outcome_.lacking[asked] = std::move(why); }

 private:
  Outcome& outcome_;
};

void take_speedup(Facts& facts, const Result& result, const Result* before) {
  if (before == nullptr)
    return facts.lack(Asked::speedup, "no step before it was measured beside it");
  if (const std::string why = not_timed(*before); !why.empty())
    return facts.lack(Asked::speedup, why);
  const Timing &slow = before->timing(), &fast = result.timing();
  facts.know(Asked::speedup, slow.median / fast.median);
  facts.range(slow.low / fast.high, slow.high / fast.low);
}

void take_operations(Facts& facts, const StudyRecord& study, const Result& result) {
  if (result.roofline() != nullptr && roofline::only_moves(*result.roofline()))
    return facts.lack(Asked::flop_per_term, "it does no floating-point operation");
  const double flop = most_operations(result);
  if (flop > 0 && study.input.terms > 0)
    facts.know(Asked::flop_per_term, flop / static_cast<double>(study.input.terms));
  else
    facts.lack(Asked::flop_per_term,
               result.counted.reason.empty() ? "not counted" : result.counted.reason);
}

void take_registers(Facts& facts, const Result& result) {
  if (const Launch* launch = largest_launch(result))
    facts.know(Asked::registers, static_cast<double>(launch->registers));
  else
    facts.lack(Asked::registers, "this device does not tell them");
}

void take_verdict(Facts& facts, const Result& result) {
  if (result.roofline() == nullptr)
    return facts.lack(Asked::bound_by, "it has no place on the roofline");
  const roofline::Verdict found = verdict(*result.roofline(), result.counted.metrics);
  if (found.by == roofline::no_roof_near)
    return facts.lack(Asked::bound_by,
                      "no roof is near, and neither stalls nor machine code were recorded");
  facts.know(Asked::bound_by, found.by);
}

}  // namespace

std::string name_of(Asked asked) {
  switch (asked) {
    case Asked::speedup:
      return "speedup";
    case Asked::flop_per_term:
      return "flop_per_term";
    case Asked::registers:
      return "registers";
    case Asked::bound_by:
      return "bound_by";
  }
  return {};
}

std::optional<Asked> asked_called(std::string_view name) {
  for (const Asked asked : all_asked)
    if (name_of(asked) == name) return asked;
  return std::nullopt;
}

std::string not_askable(Asked asked, const std::string& kind, bool has_before) {
  if (asked == Asked::speedup && !has_before) return "no step comes before it";
  if (asked == Asked::registers && kind != "gpu")
    return "registers per thread are told of GPUs only, and it runs on a host here";
  return {};
}

Outcome outcome_of(const StudyRecord& study, const Result& result, const Result* before) {
  Outcome outcome;
  outcome.kernel = study.kernel;
  outcome.variant = result.variant;
  outcome.step = result.step;
  outcome.model = result.model;
  outcome.kind = result.kind;
  outcome.device = result.device;
  if (before != nullptr) outcome.before = before->variant;
  Facts facts(outcome);
  if (const std::string why = not_timed(result); !why.empty()) {
    for (const Asked asked : all_asked) facts.lack(asked, why);
    return outcome;
  }
  take_speedup(facts, result, before);
  take_operations(facts, study, result);
  take_registers(facts, result);
  take_verdict(facts, result);
  outcome.disturbed = result.trusted().disturbed ||
                      (before != nullptr && before->timed() && before->trusted().disturbed);
  return outcome;
}

const Launch* largest_launch(const Result& result) {
  const auto most =
      std::max_element(result.launches.begin(), result.launches.end(),
                       [](const Launch& a, const Launch& b) { return a.registers < b.registers; });
  return most == result.launches.end() || most->registers == 0 ? nullptr : &*most;
}

}  // namespace gpp
