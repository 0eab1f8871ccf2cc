// References are stored in ${XDG_CACHE_HOME:-~/.cache}/gpp/references, one file each.
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
  Reference reference = {};
  double seconds = 0;         ///< time to compute it, now or when it was stored
  bool kept = false;          ///< it was read from a file
  std::string not_kept = {};  ///< reason why a computed one was not stored; empty if it was
};

/// The folder of stored references; empty if neither XDG_CACHE_HOME nor HOME is an absolute path.
std::filesystem::path reference_folder();

/// Returns the problem's reference, read from the folder if possible, else computed and stored
/// there. The file's name is the SHA-256 of every number that the reference depends on, of its
/// version (gpp/reference.h) and of its constants. A file is used only if the SHA-256 of its
/// content is right; any other is replaced. With an empty folder nothing is stored.
ObtainedReference obtain_reference(const Problem& problem, const std::filesystem::path& folder,
                                   const Progress& progress = {},
                                   std::int64_t least_terms = least_terms_kept);

}  // namespace gpp
