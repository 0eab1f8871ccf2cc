// The record of a submission: a study of its own, as any other, with a judge's part and signature.
#pragma once

#include "harness/judge/submission.h"

namespace gpp {

/// Signed. `parent`: the step that it was made from, judged here as well, over which its gain is;
/// null where there is none. With `ceilings` also the roofs of its device: a time that is faster
/// than they allow has failed. Throws InputError.
StudyRecord record_of(const Kernel& kernel, const Subject& subject, const Judged& judged,
                      const Judged* parent, bool ceilings, const Secret& secret);

}  // namespace gpp
