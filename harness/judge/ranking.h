// The record of a submission, and who stands where among those that one referee judged.
//
// By time, of those that are faster than the step that they were made from, by the rule of
// comparison.h. Whoever passed, but gained nothing over that step, or whose time nobody can believe
// (derive.h), has no rank, and neither has a submission without a layer that its device needs.
// Where too few runs or others on the machine leave the gain in doubt, the rank is marked. Those
// whose times the same rule cannot tell apart share a rank.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/judge/submission.h"

namespace gpp {

struct Standing {
  int rank = 0;  ///< from 1; 0: none
  std::string no_rank = "it did not pass";
  std::string doubt = {};           ///< about the gain; empty: none
  std::string over = {};            ///< the step that it was made from
  std::optional<double> gain = {};  ///< how many times as fast as that; empty: not known
  double seconds = 0;               ///< median; 0: not timed
  double spread = 0;                ///< half the 95% interval of the median, as a share of it
  std::vector<double> samples = {};
};

/// A submission with its ruling, and where it stands.
struct Judged {
  Submission submission;
  Ruling ruling = {};
  Standing standing = {};
};
void fields(roofline::Fields& field, Judged& judged);

/// A study of its own, as any other, with a judge's part, signed. `parent`: the step that it was
/// made from, judged here as well, over which its gain is; null where there is none. With
/// `ceilings` also the roofs of its device: a time that is faster than they allow has failed.
/// Throws InputError.
StudyRecord record_of(const Kernel& kernel, const Subject& subject, const Judged& judged,
                      const Judged* parent, bool ceilings, const Secret& secret);

/// Of the submission in a judge's record, where its result comes last, without its rank.
Standing standing_of(const StudyRecord& study);

/// Ranks those that have no reason against it.
void rank(const std::vector<Standing*>& standings);

}  // namespace gpp
