#include "harness/judge/ranking.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/record/comparison.h"
#include "harness/record/derive.h"

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
