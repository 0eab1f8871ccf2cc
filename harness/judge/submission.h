// What somebody hands in: a file, or a folder of few files, of which everything may be hostile; its
// record, and where it stands among those that one referee judged.
//
// Its sources are copied, so that they cannot change any more and lie beside nothing else, and
// compiled there in the sandbox. Links, pipes, huge files and names of files elsewhere are refused.
//
// Ranks go by time. Whoever ran without a layer that the device needs, or whose time no measured
// roof allows to believe, has none. Those whose times the rule of comparison.h cannot tell apart
// share a rank.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/judge/referee.h"

namespace gpp {

/// Copies its sources, compiles them and says what to load. The name itself may be a link. Throws
/// InputError for what cannot be taken, std::runtime_error where it does not compile.
Submission take_in(const std::filesystem::path& file_or_folder, const Kernel& kernel,
                   std::string_view kind, const Sandbox& sandbox);

/// Its study, as any other, with a judge's part, signed. With `ceilings` also the roofs of its
/// device: a time that is faster than they allow has failed, in the ruling, too. The ruling learns
/// why it has no rank. Throws InputError.
StudyRecord record_of(const Kernel& kernel, const Subject& subject, Ruling& ruling, bool ceilings,
                      const Secret& secret);

/// Why a submission has no rank, by its record; empty where it has one.
std::string no_rank(const StudyRecord& study);

/// Ranks those that have no reason against it, and puts them first, by rank.
void rank(std::vector<Ruling>& all);

}  // namespace gpp
