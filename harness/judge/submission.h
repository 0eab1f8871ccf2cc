// What somebody hands in: a file, or a folder of few files, of which everything may be hostile; its
// record, and where it stands among those that one referee judged.
//
// Its sources are copied, so that they cannot change any more and lie beside nothing else, and
// compiled there in the sandbox. Links, pipes, huge files and names of files elsewhere are refused.
//
// Ranks go by time, by the rule of comparison.h. Whoever passed, but gained nothing over the step
// that it was made from, whose time nobody can believe (derive.h), or who ran without a layer that
// its device needs, has none. Where too few runs or others on the machine leave the gain in doubt,
// the rank is marked. Those whose times the same rule cannot tell apart share a rank.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/referee.h"

namespace gpp {

struct Submission {
  std::string name;  ///< of the file or folder; of a step its id
  Contestant contestant = {};
  std::string source_sha256 = {}, library_sha256 = {};  ///< empty of a step
  std::string parent = {};  ///< the step that it was made from, or empty
  double compile_s = 0;
};

/// Copies its sources, compiles them and says what to load. The name itself may be a link. Throws
/// InputError for what cannot be taken, std::runtime_error where it does not compile.
Submission take_in(const std::filesystem::path& file_or_folder, const Kernel& kernel,
                   std::string_view kind, const Sandbox& sandbox);

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

/// Ranks those that have no reason against it, and puts them first, by rank.
void rank(std::vector<Judged>& all);

}  // namespace gpp
