// What somebody hands in: a file, or a folder of few files, of which everything may be hostile.
//
// Its sources are copied, so that they cannot change any more and lie beside nothing else, and
// compiled there in the sandbox. Links, pipes, huge files and names of files elsewhere are refused.
#pragma once

#include <filesystem>
#include <string>

#include "harness/judge/referee.h"
#include "harness/judge/sandbox.h"

namespace gpp {

struct Submission {
  std::string name;  ///< of the file or folder; of a step its id
  Contestant contestant = {};
  std::string source_sha256 = {}, library_sha256 = {};  ///< empty of a step
  std::string parent = {};  ///< the step that it was made from; empty: none
  double compile_s = 0;
};

/// Copies its sources, compiles them and says what to load. The name itself may be a link. Throws
/// InputError for what cannot be taken, std::runtime_error where it does not compile.
Submission take_in(const std::filesystem::path& file_or_folder, const Kernel& kernel,
                   std::string_view kind, const Sandbox& sandbox);

}  // namespace gpp
