// References are stored in ${XDG_CACHE_HOME:-~/.cache}/gpp/references, one file each.
//
// The variable GPP_REFERENCES names another folder, or is "off".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "gpp/reference.h"

namespace gpp {

/// Smaller problems are not stored, because computing them takes about as long as reading.
inline constexpr std::int64_t least_terms_kept = 1'000'000'000;

/// A reference, and how it was obtained.
struct ObtainedReference {
  Reference reference;
  double seconds = 0;         ///< time to compute it, now or when it was stored
  bool kept = false;          ///< it was read from a file
  std::string not_kept = {};  ///< reason why a computed one was not stored; empty if it was
};

/// The folder of stored references. It is empty if GPP_REFERENCES is "off", or if neither
/// XDG_CACHE_HOME nor HOME is an absolute path. Throws InputError if GPP_REFERENCES is neither
/// "off" nor an absolute path.
std::filesystem::path reference_folder();

/// The file name of a problem's reference: the SHA-256 of every number that the reference depends
/// on, of its version (gpp/reference.h) and of its constants, in 64 hexadecimal digits.
std::string reference_key(const Problem& problem);

/// Returns the problem's reference, read from the folder if possible, else computed and stored
/// there. A stored one is used only if its SHA-256 is right, it belongs to this problem and user,
/// its numbers are consistent, its total is the sum over its G', and a random part of its G',
/// computed again (a twentieth, but at least 16 and at most 64), has the same bits. Any other file
/// there is ignored or replaced. With an empty folder nothing is stored.
ObtainedReference obtain_reference(const Problem& problem, const std::filesystem::path& folder,
                                   const Progress& progress = {},
                                   std::int64_t least_terms = least_terms_kept);

}  // namespace gpp
