#include "harness/judge/ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/measure/measure.h"
#include "harness/measure/provenance.h"
#include "harness/record/comparison.h"
#include "harness/record/derive.h"
#include "roofline/ceilings/cache.h"

namespace gpp {
namespace {

/// Fills in gain and doubt. Returns why there is no gain; empty where there is one.
std::string no_gain(const StudyRecord& study, const Result& result, Standing& standing) {
  if (result.parent.empty()) return "nobody knows what it was made from";
  const Result& parent = study.results.front();
  if (&parent == &result || !parent.timed())
    return fmt::format("{}, which it was made from, was not timed", result.parent);
  standing.gain = parent.timing().median / standing.seconds;
  const Judgement found = judge_times(parent, parent.variant, 1, result, result.variant, 1);
  standing.doubt = found.remark;
  return found.verdict == Verdict::faster || found.verdict == Verdict::undecided
             ? ""
             : fmt::format("it is not faster than {}", result.parent);
}

}  // namespace

void fields(roofline::Fields& field, Judged& judged) {
  Submission& submission = judged.submission;
  field("name", submission.name, roofline::any_text);
  field("model", submission.contestant.variant.model, roofline::name_or_empty);
  field("device", submission.contestant.kind, roofline::name_or_empty);
  field("source_sha256", submission.source_sha256, roofline::name_or_empty);
  field("library_sha256", submission.library_sha256, roofline::name_or_empty);
  field("compile_s", submission.compile_s, roofline::bounds::seconds);
  fields(field, judged.ruling);
  field("rank", judged.standing.rank, roofline::Whole{});
  field("no_rank", judged.standing.no_rank, roofline::any_text);
  field("doubt", judged.standing.doubt, roofline::any_text);
  field("over", judged.standing.over, roofline::name_or_empty);
  field("gain", judged.standing.gain, roofline::bounds::not_negative);
}

StudyRecord record_of(const Kernel& kernel, const Subject& subject, const Judged& judged,
                      const Judged* parent, bool ceilings, const Secret& secret) {
  const Submission& submission = judged.submission;
  const Contestant& contestant = submission.contestant;
  std::vector<DeviceDescription> gpus;
  if (contestant.kind == "gpu")
    gpus.push_back(runtime_of(kernel, contestant.variant.model, contestant.kind).describe());
  StudyRecord study = study_from_now(kernel, std::move(gpus));
  study.input = subject.input();
  study.reference = subject.reference();
  for (const Judged* const one : {parent, &judged}) {
    if (one == nullptr) continue;
    study.results.push_back(one->ruling);
    study.results.back().parent = one->submission.parent;
  }
  if (ceilings) study.ceilings.push_back(roofline::ceilings_of(contestant.kind));
  refuse_impossible(study);
  derive(study);
  study.judge = {.team = submission.name,
                 .source_sha256 = submission.source_sha256,
                 .library_sha256 = submission.library_sha256,
                 .layers = judged.ruling.layers.tried,
                 .round_trip_seconds = judged.ruling.round_trip_s,
                 .problems_per_go = judged.ruling.together};
  sign(study, secret);
  return study;
}

Standing standing_of(const StudyRecord& study) {
  const Result& result = study.results.back();
  Standing standing;
  standing.over = result.parent;
  if (result.status != Status::passed) return standing;
  if (!result.timed()) {
    standing.no_rank = "it was not timed";
    return standing;
  }
  standing.samples = result.trusted().samples;
  standing.seconds = result.timing().median;
  standing.spread = result.timing().spread();
  standing.no_rank = no_gain(study, result, standing);
  if (const std::string why = contradicts_machine(study, result); !why.empty())
    standing.no_rank = "its time cannot be believed: " + why;
  if (const std::string lacks = study.judge->lacks(); !lacks.empty())
    standing.no_rank = "it was judged without " + lacks;
  return standing;
}

void rank(const std::vector<Standing*>& standings) {
  std::vector<Standing*> ranked = standings;
  std::erase_if(ranked, [](const Standing* one) { return !one->no_rank.empty(); });
  std::ranges::sort(ranked, {}, &Standing::seconds);
  std::size_t first = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const bool same =
        ranked[i]->seconds == ranked[first]->seconds ||
        compare_times(ranked[first]->samples, ranked[i]->samples, 1, 1) == Verdict::same;
    if (!same) first = i;
    ranked[i]->rank = static_cast<int>(first) + 1;
  }
}

}  // namespace gpp
