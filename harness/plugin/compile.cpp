#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/plugin/exports.h"
#include "harness/plugin/plugin.h"
#include "harness/program/build_info.h"
#include "harness/program/source_files.h"
#include "roofline/base/files.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/measure.h"
#include "runtimes/runtime.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::chrono::minutes longest_compilation{10};
constexpr const char* stamp_file = "plugin_stamp.txt";

/// The non-empty parts of a text.
Words parted(std::string_view text, char by) {
  Words words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, by);)
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

void append(Words& words, Words more) { std::ranges::move(more, std::back_inserter(words)); }

/// Returns the text as a C++ string literal with quotes.
std::string quoted(const std::string& text) {
  std::ostringstream literal;
  literal << std::quoted(text);
  return literal.str();
}

fs::path own_program() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

/// A bundle's launcher adds the bundle's libraries to the search path (scripts/bundle). Compilers
/// must use their own.
Words without_own_libraries(Words command) {
  const char* const set = std::getenv("LD_LIBRARY_PATH");
  const std::string own = (own_program().parent_path().parent_path() / "lib").string();
  if (set == nullptr || !std::string_view(set).starts_with(own)) return command;
  const std::string others = std::string(set).substr(own.size());
  const std::string rest = others.starts_with(":") ? others.substr(1) : "";
  command.insert(command.begin(), {"env", "LD_LIBRARY_PATH=" + rest});
  return command;
}

/// Code with Hopper's own instructions is compiled for Hopper only (cmake/Models.cmake).
Words devices_for(std::string_view source) {
  const bool hopper =
      source.find("\n#include \"variants/cuda/support/wgmma.cuh\"") != std::string::npos;
  return hopper ? Words{"-gencode=arch=compute_90a,code=sm_90a"}
                : parted(build_info::cuda_devices, ';');
}

/// Makes a folder that no other user can write to, because programs from it are run.
void make_private(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  struct stat status {};
  if ((mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) ||
      lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 022) != 0)
    throw std::runtime_error(
        fmt::format("{}: plug-ins are run from there, so it must be a folder of your own where "
                    "others may not write: mode 700; XDG_CACHE_HOME names another place",
                    folder.string()));
}

/// The compiler's command with the options of all sources; `text` determines the devices.
Words command_of(const Compiler& compiler, bool cuda, const fs::path& headers,
                 std::string_view text) {
  Words words = {compiler.command};
  if (cuda) {
    append(words, parted(build_info::cuda_options, ';'));
    append(words, devices_for(text));
    append(words, {"-Xcompiler=-fPIC,-fvisibility=hidden"});
  } else {
    append(words, parted(build_info::cxx_flags, ' '));
    append(words, {"-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden"});
  }
  words.push_back("-I" + headers.string());
  return words;
}

/// The hash of everything that determines the library: the files and what they include, the
/// program's stamp, the command, the processor behind -march=native, and the environment variables
/// of compilers.
std::string key_of(const PluginSource& source, const Compiler& compiler, const Words& command,
                   const fs::path& headers) {
  roofline::Sha256 hash;
  const auto add = [&hash](std::string_view text) {
    const std::size_t size = text.size();
    hash.add(&size, sizeof(size));
    hash.add(text.data(), size);
  };
  const DeviceDescription host = host_runtime().describe();
  add(plugin_stamp);
  add(host.name + host.architecture);
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX",
                           "COMPILER_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
    if (const char* value = std::getenv(name)) add(std::string(name) + "=" + value);
  add(compiler.version);
  for (const std::string& word : command) add(word);
  for (const fs::path& file : with_included_files(headers, files_of(source))) {
    add(file.string());
    add(text_of(file));
  }
  return hash.digest();
}

/// The text to compile: the source, followed by the facts that its library exports.
std::string exporting(const PluginSource& source) {
  const Recipe& recipe = *source.recipe;
  std::string text = fmt::format("#define GPP_KIND {}\n#include {}\n", quoted(recipe.kind),
                                 quoted(source.file.string()));
  if (recipe.cuda) text += "#include \"runtimes/cuda/launch.cu\"\n";
  return text +
         fmt::format(
             "#include \"harness/plugin/exports.h\"\n"
             "extern \"C\" __attribute__((visibility(\"default\"), used))\n"
             "const gpp::PluginFacts {} = {{{}, {}, {}, {}, {}, &gpp::Registration::first}};\n",
             facts_symbol, quoted(source.kernel->name), quoted(source.name), quoted(source.model),
             quoted(recipe.kind), quoted(source.shown));
}

/// Runs the compiler. Throws std::runtime_error if `what` does not compile.
void compile(const Words& command, const std::string& what, BuiltPlugin& built) {
  const double start = roofline::steady_seconds();
  const roofline::Finished done =
      roofline::run_program(without_own_libraries(command), longest_compilation);
  built.seconds = roofline::steady_seconds() - start;
  built.messages = done.output + done.errors;
  if (done.status != 0)
    throw std::runtime_error(fmt::format("{}{} does not compile{}; nothing was run", built.messages,
                                         what, done.silenced ? " within 10 minutes" : ""));
}

}  // namespace

Compiler compiler_called(bool cuda, const std::string& who) {
  const std::string recorded(cuda ? build_info::cuda_command : build_info::cxx_command);
  const std::string name(cuda ? build_info::cuda_compiler : build_info::cxx_compiler);
  for (const std::string& command : {recorded, fs::path(recorded).filename().string()}) {
    const roofline::Finished said =
        roofline::run_program(without_own_libraries({command, "--version"}));
    if (said.status != 0) continue;
    return {command, said.output};
  }
  throw std::runtime_error(
      fmt::format("{} needs the compiler {} ({}), which is neither there nor on "
                  "the PATH; install it, or let PATH name its folder",
                  who, recorded, name));
}

fs::path kept_folder(const char* name) {
  const fs::path roofs = roofline::cache_folder();
  if (!roofs.empty()) return roofs.parent_path() / "gpp" / name;
  throw std::runtime_error(
      "what is compiled is kept in a folder of XDG_CACHE_HOME, or of HOME; neither is set");
}

fs::path plugin_headers() {
  const std::optional<BuildTree> tree = own_build_tree();
  const fs::path headers =
      tree ? tree->sources
           : (own_program().parent_path() / ".." / "include" / "gpp-study").lexically_normal();
  if (roofline::trimmed(text_of((tree ? tree->folder : headers) / stamp_file)) != plugin_stamp)
    throw std::runtime_error(fmt::format(
        "plug-ins are compiled against the headers of gpp, which are not in {}, or are of another "
        "version: install program and headers together, or unpack a whole bundle",
        headers.string()));
  return headers;
}

BuiltPlugin build_plugin(const PluginSource& source, const WrapCommand& wrap, fs::path cache) {
  const Recipe& recipe = *source.recipe;
  const fs::path headers = plugin_headers();
  const Compiler compiler = compiler_called(recipe.cuda, "a plug-in of model " + source.model);
  Words command = command_of(compiler, recipe.cuda, headers, source.text);
  append(command, parted(recipe.options, ';'));
  command.emplace_back("-shared");
  if (cache.empty()) cache = kept_folder("plug-ins");
  make_private(cache);
  const std::string key = key_of(source, compiler, command, headers);
  BuiltPlugin built;
  built.library = cache / fmt::format("{}-{}.so", source.name, key.substr(0, 32));
  if (fs::exists(built.library)) return built;
  const roofline::PassingFolder work("gpp-plug-in");
  const fs::path made = work.path() / "made.so";
  const fs::path file = work.path() / (recipe.cuda ? "plug_in.cu" : "plug_in.cpp");
  roofline::write_whole(file, exporting(source));
  Words whole = command;
  append(whole, {"-o", made.string(), file.string()});
  compile(wrap ? wrap(std::move(whole)) : whole, source.file.string(), built);
  if (key_of(source, compiler, command, headers) != key)
    throw std::runtime_error(
        fmt::format("the source of {} changed while it was compiled; begin again", source.name));
  roofline::write_whole(built.library, text_of(made));
  return built;
}

}  // namespace gpp
