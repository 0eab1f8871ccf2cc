// Plug-ins: variants in a file anywhere, which the program compiles and loads while it runs.
//
// The program's compiler compiles the file with the options of its model, against the headers
// installed beside the program (in a build folder: those of the source tree). The library is kept
// in a cache under a hash of all that it depends on (build_plugin).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"

namespace gpp {

/// The hash of this program's version and of all headers for plug-ins.
extern const std::string_view plugin_stamp;

/// A variant in a file of its own, or a file of the source tree that is newer than the program.
struct PluginSource {
  std::filesystem::path file;  ///< absolute path of the source
  std::filesystem::path tree;  ///< the tree's folder; empty for a file elsewhere
  std::string name;            ///< id: "my_idea"
  std::string model;
  const Kernel* kernel = nullptr;
  const Recipe* recipe = nullptr;
  std::string shown;  ///< its name in records: "my_idea/my_idea.cpp"
  std::string text;
};

/// Finds the source: the file, or the only source in the folder. Its namespace determines the
/// model. Of the model's builds, it chooses the one for `kind`, or the first usable one. Throws
/// InputError for no source, several sources, another kernel, or a model that cannot run.
PluginSource plugin_in(const std::filesystem::path& file_or_folder, const Kernel& kernel,
                       std::string_view kind = {});

/// The source of a variant in the tree, for the recipe's kind of device. The catalog may lack it.
PluginSource source_in_tree(const std::filesystem::path& tree, const Variant& variant,
                            const Kernel& kernel, const Recipe& recipe);

/// The kernel's recipe for a model and a kind of device; nullptr if there is none. Device code of
/// OpenMP has none: it can only be linked into the program.
const Recipe* recipe_of(const Kernel& kernel, std::string_view model, std::string_view kind);

/// The runtime on which variants of that model run. Throws std::runtime_error.
const Runtime& runtime_of(const Kernel& kernel, const std::string& model, const std::string& kind);

/// The source and the files beside it that it includes, directly or not. In the tree these are the
/// files in the folder of its model.
std::vector<std::filesystem::path> files_of(const PluginSource& source);

/// Wraps the compiler's command into a sandbox.
using WrapCommand = std::function<std::vector<std::string>(std::vector<std::string> command)>;

struct BuiltPlugin {
  std::filesystem::path library;
  double seconds = 0;         ///< time spent in the compiler; 0 for a library from the cache
  std::string messages = {};  ///< warnings of the compiler
};

/// Compiles a plug-in, unless the folder `cache` (default: kept_folder("plug-ins")) has the result
/// for this compiler, files and command.
/// Processes may do so concurrently. Throws std::runtime_error with the compiler's messages, or if
/// compiler or headers are missing.
BuiltPlugin build_plugin(const PluginSource& source, const WrapCommand& wrap = {},
                         std::filesystem::path cache = {});

/// ${XDG_CACHE_HOME:-~/.cache}/gpp/NAME. Throws std::runtime_error where neither variable is set.
std::filesystem::path kept_folder(const char* name);

/// The nvcc or C++ compiler that compiled this program.
struct Compiler {
  std::string command;
  std::string version;  ///< what the compiler's --version prints
};

/// Finds the compiler where it was at build time, else on the PATH. Throws std::runtime_error if it
/// is missing; `who` names the user of the compiler: "a plug-in of model omp".
Compiler compiler_called(bool cuda, const std::string& who);

/// The folder of the headers for plug-ins. Throws std::runtime_error if they are missing or belong
/// to another version.
std::filesystem::path plugin_headers();

/// Loads the library permanently; its constructors run. Throws std::runtime_error.
Call load_plugin(const std::filesystem::path& library);

/// A variant that has this build and so runs like any other.
Variant variant_of(const PluginSource& source, Call call);

// ---- As if it were the program's own ------------------------------------------------------------

/// Adds a plug-in to its kernel's catalog, or replaces the builds of the steps that lie in its
/// file, so that its id finds it and its file name finds its text (source_text). Call before
/// anything points into that catalog. Throws InputError if another file has such a variant.
void adopt(const PluginSource& source, const std::filesystem::path& library);

/// Adds a variant that cannot run here to the catalog, unless it is there.
void adopt_without_build(const Kernel& kernel, Variant variant, const std::string& reason);

/// True if the variant is a plug-in.
bool is_plugin(const Variant& variant);

/// The lines of a plug-in's files, by file name; empty for other variants.
std::map<std::string, std::vector<std::string>> sources_of_plugin(const Variant& variant);

/// Arguments with which a new process of this program registers the same plug-ins. They come last.
std::vector<std::string> arguments_of_plugins();

/// Registers the plug-ins that the program's arguments name.
void adopt_named(int argc, const char* const* argv, int first);
inline constexpr std::string_view plugin_argument = "--plug-in-library";

}  // namespace gpp
