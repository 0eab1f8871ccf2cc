#include "gpp/scale/record.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gpp/scale/partition.h"
#include "gpp/study/record.h"
#include "harness/measure/provenance.h"
#include "roofline/base/machine.h"

namespace gpp::scale {
namespace {

InputRecord input_record(const CalculationRequest& request) {
  const Preset whole = whole_of(*request.preset);
  InputRecord input;
  input.path = fmt::format("preset {}, seed {}, whole", whole.name, request.seed);
  input.terms = whole.terms() * request.states;
  input.dimensions = Json({{"ncouls", whole.ncouls},
                           {"ngpown", whole.ngpown},
                           {"nbands", whole.ntband_dist},
                           {"nstart", whole.nstart},
                           {"nend", whole.nend}});
  if (request.states > 1) input.dimensions["states"] = request.states;
  return input;
}

/// `frequencies`: an input that holds these alone.
Result result_of(const CalculationRequest& request, const CalculationResult& calculated,
                 const Input& frequencies) {
  const Variant& variant = *request.choice.variant;
  const Runtime& runtime = *request.choice.build->runtime;
  Result result;
  result.variant = variant.id;
  result.step = variant.step;
  result.model = variant.model;
  result.kind = request.choice.build->kind;
  result.device = runtime.describe().name;
  result.status = calculated.check.passed ? Status::passed : Status::failed;
  result.reason = calculated.check.reason;
  result.check = calculated.check;
  result.answer = answer_json(calculated.sums, frequencies);
  result.threads = result.kind == "host" ? request.cores : 0;
  result.samples = calculated.samples;
  result.stop = calculated.samples.empty()                                      ? Stop::none
                : static_cast<int>(calculated.samples.size()) == request.repeat ? Stop::repeats
                                                                                : Stop::time_limit;
  return result;
}

}  // namespace

StudyRecord record_of(const CalculationRequest& request, const CalculationResult& calculated,
                      const gpp::Machine& machine) {
  Input frequencies;
  frequencies.nstart = request.preset->nstart;
  frequencies.nend = request.preset->nend;
  StudyRecord study;
  study.created = roofline::utc_now();
  study.git = git_state();
  study.machine = machine;
  if (request.choice.build->kind == "gpu") {
    study.machine.gpus = {request.choice.build->runtime->describe()};
    study.machine.driver = study.machine.gpus.front().driver;
  }
  study.build = this_build();
  study.kernel = "gpp";
  study.input = input_record(request);
  study.reference = reference_record(calculated.reference, frequencies);
  study.reference.seconds = calculated.reference_seconds;
  study.results = {result_of(request, calculated, frequencies)};
  if (calculated.check.passed) study.scaling = calculated.scaling;
  return study;
}

}  // namespace gpp::scale
