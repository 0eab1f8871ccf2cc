#include "harness/judge/judged_record.h"

#include <fmt/format.h>

#include <limits>

#include "harness/measure/measure.h"
#include "harness/measure/provenance.h"
#include "harness/record/derive.h"
#include "roofline/ceilings/cache.h"

namespace gpp {
namespace {

Result result_of(const Kernel& kernel, const Judged& judged) {
  const Contestant& contestant = judged.submission.contestant;
  const Ruling& ruling = judged.ruling;
  Result result;
  result.variant = contestant.variant;
  result.step = contestant.step;
  result.model = contestant.model;
  result.kind = contestant.kind;
  result.device = runtime_of(kernel, contestant.model, contestant.kind).describe().name;
  result.status = ruling.passed ? Status::passed : Status::failed;
  result.reason = ruling.reason;
  result.check = ruling.check;
  if (ruling.checks == 0) result.check.max_relative_error = std::numeric_limits<double>::infinity();
  result.answer = ruling.answer;
  result.parent = judged.submission.parent;
  result.threads = threads_of(result);
  result.preparation_seconds = ruling.preparation_seconds;
  result.samples = ruling.samples;
  result.load = ruling.load;
  result.stop = ruling.stop;
  result.counted = ruling.counted;
  return result;
}

}  // namespace

StudyRecord record_of(const Kernel& kernel, const Subject& subject, const Judged& judged,
                      const Judged* parent, bool ceilings, const Secret& secret) {
  const Contestant& contestant = judged.submission.contestant;
  std::vector<DeviceDescription> gpus;
  if (contestant.kind == "gpu")
    gpus.push_back(runtime_of(kernel, contestant.model, contestant.kind).describe());
  StudyRecord study = study_from_now(kernel, std::move(gpus));
  study.input = subject.input();
  study.reference = subject.reference();
  if (parent != nullptr) study.results.push_back(result_of(kernel, *parent));
  study.results.push_back(result_of(kernel, judged));
  if (ceilings) study.ceilings.push_back(roofline::ceilings_of(contestant.kind));
  refuse_impossible(study);
  derive(study);
  const Ruling& ruling = judged.ruling;
  study.judge = {.team = judged.submission.name,
                 .source_sha256 = judged.submission.source_sha256,
                 .library_sha256 = judged.submission.library_sha256,
                 .layers = ruling.layers.tried,
                 .round_trip_seconds = ruling.round_trip_s,
                 .problems_per_go = ruling.together};
  sign(study, secret);
  return study;
}

}  // namespace gpp
