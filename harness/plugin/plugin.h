// Plug-ins: variants that the program compiles while it runs, from a file anywhere, and loads.
//
// The file is compiled by the compiler of the program, with the options that its model has in the
// tree, against the headers that are installed beside the program (in a build folder: the tree's).
// What comes out is kept (build_plugin). A library carries a stamp, a hash of all these headers:
// one of another version is refused before anything in it is called, its constructors included.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/kernel.h"
#include "harness/plugin/recipe.h"

namespace gpp {

/// The hash of this program's version and of all headers that plug-ins are compiled against.
extern const std::string_view plugin_stamp;

/// A variant in a file of its own.
struct PluginSource {
  std::filesystem::path file;  ///< absolute
  std::string name;            ///< id, step and function: "my_idea"
  std::string model;
  const Kernel* kernel = nullptr;
  const Recipe* recipe = nullptr;
  std::string shown;  ///< what records call the file: "my_idea/my_idea.cpp"
  std::string text;
};

/// The source, or the only one in a folder. Its namespace tells the model. Where that has builds
/// for several kinds of device: for `kind`, or for the first that can be used here. Throws
/// InputError where there is none, or more than one, where it is of another kernel, or cannot run.
PluginSource plugin_in(const std::filesystem::path& file_or_folder, const Kernel& kernel,
                       std::string_view kind = {});

/// The source and the files beside it that it includes, directly or not.
std::vector<std::filesystem::path> files_of(const PluginSource& source);

/// Puts the compiler's command into a sandbox.
using WrapCommand = std::function<std::vector<std::string>(std::vector<std::string> command)>;

struct BuiltPlugin {
  std::filesystem::path library;
  double seconds = 0;         ///< that compilers took
  std::string messages = {};  ///< of theirs, warnings that is
  bool from_cache = false;
};

/// Compiles it, unless the folder `cache` (default: ${XDG_CACHE_HOME:-~/.cache}/gpp/plug-ins) has
/// what the same compiler made of the same files by the same command. Several may do so at a time.
/// Throws std::runtime_error with the compiler's messages, or where no compiler or headers are.
BuiltPlugin build_plugin(const PluginSource& source, const WrapCommand& wrap = {},
                         std::filesystem::path cache = {});

/// Where the headers lie that plug-ins are compiled against. Throws std::runtime_error where they
/// are not there, or are those of another version.
std::filesystem::path plugin_headers();

/// Loads the library, for good: its constructors run. Throws std::runtime_error.
Call load_plugin(const std::filesystem::path& library);

/// What the line "// Operations: power2; m once." of a source says, without the full stop.
std::string operations_in(const std::string& code);

/// With a build, so that it runs as any other variant.
Variant variant_of(const PluginSource& source, Call call);

// ---- As if it were the program's own ------------------------------------------------------------

/// Adds it to the catalog of its kernel: from now on it is found by its id, and its text by its
/// name (source_text). Before anybody points into that catalog. Throws InputError where the catalog
/// has such a variant.
void adopt(const PluginSource& source, const std::filesystem::path& library);

/// Whether a kernel lies in the folder: it has a file kernel.cpp.
bool is_kernel_folder(const std::filesystem::path& folder);

/// Compiles the kernel in the folder, whose parts are those of a folder of examples/, loads it, and
/// makes it one of the program's. `built` tells of its library. Throws as the above do.
const Kernel& adopt_kernel(const std::filesystem::path& folder, BuiltPlugin& built);
const Kernel& adopt_kernel_in(const std::filesystem::path& library);

/// Whether the variant was adopted.
bool is_plugin(const Variant& variant);

/// The files of a variant that was adopted, by name, line by line; empty of others.
std::map<std::string, std::vector<std::string>> sources_of_plugin(const Variant& variant);

/// Arguments by which this program, started anew, adopts what it has adopted here. They come last.
std::vector<std::string> arguments_of_plugins();

/// Adopts what they name.
void adopt_named(int argc, const char* const* argv, int first);
inline constexpr std::string_view plugin_argument = "--plug-in-library";

}  // namespace gpp
