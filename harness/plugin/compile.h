// Compilers, their options, and the cache of compiled libraries.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plugin/plugin.h"
#include "roofline/base/sha256.h"

namespace gpp {

using Words = std::vector<std::string>;

/// The non-empty parts of a text.
Words parted(std::string_view text, char by);
void append(Words& words, Words more);
/// Returns the text as a C++ string literal with quotes.
std::string quoted(const std::string& text);
/// C++ text that defines the stamp and GPP_EXPORTED, the attribute of exported symbols.
std::string exported_stamp();

/// The nvcc or C++ compiler that compiled this program.
struct Compiler {
  bool cuda = false;
  std::string command;
  std::string version;  ///< what the compiler's --version prints
  std::string differs;  ///< a message if the program was compiled by another version; else empty
};

/// Finds the compiler where it was at build time, else on the PATH. Throws std::runtime_error if it
/// is missing; `who` names the user of the compiler: "a plug-in of model omp".
Compiler compiler_called(bool cuda, const std::string& who);

/// The compiler's command with the options of all sources; `text` determines the devices.
Words command_of(const Compiler& compiler, const std::filesystem::path& headers,
                 std::string_view text);

/// The hash of everything that determines the library: the added files, the program's stamp, the
/// processor behind -march=native, and the environment variables of compilers.
class BuildKey {
 public:
  BuildKey();
  void add(std::string_view text);
  void add(const Compiler& compiler, const Words& command);
  /// Adds the files and all their includes from their own folders and from the headers.
  void add_files(const std::filesystem::path& headers,
                 const std::vector<std::filesystem::path>& files);
  std::string digest() { return hash_.digest(); }

 private:
  roofline::Sha256 hash_;
};

/// Makes `made` from files that it writes into the folder `work`, and adds the compilers' messages
/// and times.
using MakeLibrary = std::function<void(const std::filesystem::path& work,
                                       const std::filesystem::path& made, BuiltPlugin& built)>;

/// Returns the library with this name and key from the cache (build_plugin), else makes it. The key
/// is computed again afterwards; if it changed meanwhile, the library is not kept.
BuiltPlugin kept_or_made(const std::string& name, const std::function<std::string()>& key,
                         std::filesystem::path cache, const MakeLibrary& make);

/// Runs the compiler. Its messages about the wrapper file in `work`, which includes the source, are
/// left out. Throws std::runtime_error if `what` does not compile.
void compile(const Words& command, const std::filesystem::path& work, const std::string& what,
             BuiltPlugin& built);

}  // namespace gpp
