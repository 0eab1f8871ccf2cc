// Compilers, their options, and the cache of what they made.
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

/// The parts of the text that are not empty.
Words parted(std::string_view text, char by);
void append(Words& words, Words more);
/// The text as it stands in a literal of C++, with its quotes.
std::string quoted(const std::string& text);
/// The definition of the stamp, and of GPP_EXPORTED, which makes a definition one of the exports.
std::string exported_stamp();

/// nvcc, or the C++ compiler, that made this program.
struct Compiler {
  bool cuda = false;
  std::string command;
  std::string version;  ///< what it says
  std::string differs;  ///< a line for people, where another version made the program; else empty
};

/// Where it lay when the program was built, else on the PATH. Throws std::runtime_error where it is
/// neither; `who` needs it: "a plug-in of model omp".
Compiler compiler_called(bool cuda, const std::string& who);

/// Its command and what it is told of every source; `text` decides for which devices.
Words command_of(const Compiler& compiler, const std::filesystem::path& headers,
                 std::string_view text);

/// The hash of all that decides what comes out: beside what is added, the program's stamp, the
/// processor that -march=native means, and the variables that compilers read.
class BuildKey {
 public:
  BuildKey();
  void add(std::string_view text);
  void add(const Compiler& compiler, const Words& command);
  /// The files and all that they include of their own folders and of the headers.
  void add_files(const std::filesystem::path& headers,
                 const std::vector<std::filesystem::path>& files);
  std::string digest() { return hash_.digest(); }

 private:
  roofline::Sha256 hash_;
};

/// Makes `made` from files that it writes into the folder `work`; adds what compilers said and
/// took.
using MakeLibrary = std::function<void(const std::filesystem::path& work,
                                       const std::filesystem::path& made, BuiltPlugin& built)>;

/// The library of that name and key, from the cache (build_plugin), else made. `key` is asked again
/// afterwards: what changed meanwhile is not kept.
BuiltPlugin kept_or_made(const std::string& name, const std::function<std::string()>& key,
                         std::filesystem::path cache, const MakeLibrary& make);

/// Runs the compiler. Lines about its file in `work`, which includes the source, are left out of
/// its messages. Throws std::runtime_error where `what` does not compile.
void compile(const Words& command, const std::filesystem::path& work, const std::string& what,
             BuiltPlugin& built);

}  // namespace gpp
