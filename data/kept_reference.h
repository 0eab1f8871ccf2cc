// References, computed once and kept: in ${XDG_CACHE_HOME:-~/.cache}/gpp/references, a file each.
//
// GPP_REFERENCES names another folder, or says "off".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "gpp/reference.h"

namespace gpp {

/// Problems of fewer terms are neither looked up nor kept: computing them takes about as long.
inline constexpr std::int64_t least_terms_kept = 1'000'000'000;

/// A reference, and how it was come by.
struct ObtainedReference {
  Reference reference;
  double seconds = 0;         ///< that computing it took, now or when it was kept
  bool kept = false;          ///< it was read, and not computed now
  std::string not_kept = {};  ///< why one computed now could not be kept; empty where it was
};

/// The folder of kept references; empty where there is none: GPP_REFERENCES is "off", or neither
/// XDG_CACHE_HOME nor HOME is an absolute path. Throws InputError where GPP_REFERENCES is neither
/// "off" nor an absolute path.
std::filesystem::path reference_folder();

/// The name that a reference is kept under: the SHA-256 of every number that it depends on, of the
/// version of its definition (gpp/reference.h) and of its constants. 64 hexadecimal digits.
std::string reference_key(const Problem& problem);

/// The reference of the problem: from the folder where it is kept there, else computed, and kept
/// where the folder allows. A kept one is taken only if its file is whole (its own SHA-256), of
/// this problem and this user, if its total is the sum of its G' and no number contradicts another,
/// and if a part of its G', picked at random and computed anew (a twentieth, at least 16 of them
/// and at most 64), is the same bit for bit. Whatever else lies there is left aside or replaced. An
/// empty folder: nothing is kept.
ObtainedReference obtain_reference(const Problem& problem, const std::filesystem::path& folder,
                                   const Progress& progress = {},
                                   std::int64_t least_terms = least_terms_kept);

}  // namespace gpp
