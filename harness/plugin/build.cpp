#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/plugin/exports.h"
#include "harness/plugin/plugin.h"
#include "harness/program/build_info.h"
#include "harness/program/build_tree.h"
#include "harness/program/source_files.h"
#include "roofline/base/process.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/sha256.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/cache.h"
#include "runtimes/runtimes.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::chrono::minutes longest_compilation{10};
constexpr std::size_t most_kept = 200;  // libraries in a cache
constexpr const char* stamp_file = "plugin_stamp.txt";

Words parted(std::string_view text, char by) {
  Words words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, by);)
    if (!word.empty()) words.push_back(std::move(word));
  return words;
}

void append(Words& words, Words more) {
  words.insert(words.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

// ---- The compiler and its command ---------------------------------------------------------------

struct Compiler {
  std::string command;
  std::string version;  ///< the first line of what it says
  std::string differs;  ///< a line for people, where the program was built by another; else empty
};

/// Where it lay when the program was built, else on the PATH.
Compiler compiler_for(const Recipe& recipe) {
  const std::string recorded(recipe.cuda ? build_info::cuda_command : build_info::cxx_command);
  const std::string name(recipe.cuda ? build_info::cuda_compiler : build_info::cxx_compiler);
  Compiler compiler;
  for (const std::string& command : {recorded, fs::path(recorded).filename().string()}) {
    const roofline::Finished said = roofline::run_program({command, "--version"});
    if (said.status != 0) continue;
    compiler.command = command;
    const std::string number = name.substr(name.find(' ') + 1);
    compiler.version = said.output;
    if (said.output.find(number) == std::string::npos)
      compiler.differs =
          fmt::format("gpp: compiled by another version of {} than {}, which made the program\n",
                      fs::path(recorded).filename().string(), name);
    return compiler;
  }
  throw std::runtime_error(
      fmt::format("a plug-in of model {} needs the compiler {} ({}), which is neither there nor on "
                  "the PATH; install it, or let PATH name its folder",
                  recipe.model, recorded, name));
}

/// Hopper's own instructions are in no code for other devices (cmake/Models.cmake).
Words devices_for(const PluginSource& source) {
  const bool hopper =
      source.text.find("\n#include \"variants/cuda/support/wgmma.cuh\"") != std::string::npos;
  return hopper ? Words{"-gencode=arch=compute_90a,code=sm_90a"}
                : parted(build_info::cuda_devices, ';');
}

/// All but the names of the files.
Words command_for(const PluginSource& source, const Compiler& compiler, const fs::path& headers) {
  const Recipe& recipe = *source.recipe;
  Words words = {compiler.command};
  Words links = parted(recipe.links, ';');
  if (recipe.cuda) {
    append(words, parted(build_info::cuda_options, ';'));
    append(words, devices_for(source));
    append(words, {"-Xcompiler=-fPIC,-fvisibility=hidden"});
    for (std::string& link : links)
      if (link.starts_with("-Wl,")) link.replace(0, 4, "-Xlinker=");
  } else {
    append(words, parted(build_info::cxx_flags, ' '));
    append(words, {"-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden"});
  }
  append(words, parted(recipe.options, ';'));
  append(words, {"-I" + headers.string(), "-shared"});
  append(words, std::move(links));
  return words;
}

/// The text as it stands in a literal of C++, with its quotes.
std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

/// What is compiled: the source, and what its library exports.
std::string exporting(const PluginSource& source) {
  const Recipe& recipe = *source.recipe;
  std::string text = fmt::format("#include {}\n", quoted(source.file.string()));
  if (recipe.cuda) text += "#include \"runtimes/cuda/in_plugin.cu\"\n";
  text += "#include \"harness/plugin/exports.h\"\n";
  text += "#define GPP_EXPORTED extern \"C\" __attribute__((visibility(\"default\"), used))\n";
  text += fmt::format("GPP_EXPORTED const char gpp_plugin_stamp[] = {};\n",
                      quoted(std::string(stamp_mark) + std::string(plugin_stamp)));
  text += fmt::format("GPP_EXPORTED const gpp::PluginFacts {} = {{{}, {}, {}, {}}};\n",
                      facts_symbol, quoted(recipe.kernel), quoted(source.name), quoted(recipe.kind),
                      quoted(source.file.string()));
  text += fmt::format(
      "GPP_EXPORTED const gpp::Call* {0}(std::string_view step) {{\n"
      "  static const gpp::Call call = gpp::call_of({1}::{2});\n"
      "  return step == \"{2}\" ? &call : nullptr;\n}}\n",
      variant_symbol, recipe.space, source.name);
  return text;
}

// ---- The cache ----------------------------------------------------------------------------------

/// A folder that nobody else can write to: what lies there is run.
void make_private(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  struct stat status {};
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw std::runtime_error(
        fmt::format("{}: cannot be made: {}; XDG_CACHE_HOME names another place", folder.string(),
                    std::strerror(errno)));
  if (lstat(folder.c_str(), &status) != 0 || !S_ISDIR(status.st_mode) ||
      status.st_uid != geteuid() || (status.st_mode & 022) != 0)
    throw std::runtime_error(fmt::format(
        "{}: others may write there, and plug-ins from there are run: make it your own, mode 700",
        folder.string()));
}

fs::path cache_or_default(fs::path cache) {
  if (cache.empty()) {
    if (const fs::path roofs = roofline::cache_folder(); !roofs.empty())
      cache = roofs.parent_path() / "gpp" / "plug-ins";
    else
      throw std::runtime_error(
          "compiled plug-ins are kept in a folder of XDG_CACHE_HOME, or of HOME; neither is set");
  }
  make_private(cache);
  return cache;
}

/// A new folder in the cache, which goes with this object.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& cache) {
    std::string name = (cache / "building-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw std::runtime_error(
          fmt::format("{}: cannot be written to: {}", cache.string(), std::strerror(errno)));
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Whole on the disk before it has its name.
void publish(const fs::path& made, const fs::path& library) {
  const int file = open(made.c_str(), O_RDONLY | O_CLOEXEC);
  const bool whole = file >= 0 && fsync(file) == 0;
  if (file >= 0) close(file);
  if (!whole || rename(made.c_str(), library.c_str()) != 0)
    throw std::runtime_error(
        fmt::format("{}: cannot be written: {}", library.string(), std::strerror(errno)));
}

/// Removes what was not used for longest.
void prune(const fs::path& cache) {
  std::vector<std::pair<fs::file_time_type, fs::path>> kept;
  std::error_code gone;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache, gone))
    if (entry.path().extension() == ".so")
      kept.emplace_back(entry.last_write_time(gone), entry.path());
  if (kept.size() <= most_kept) return;
  std::ranges::sort(kept);
  for (std::size_t i = 0; i + most_kept < kept.size(); ++i) fs::remove(kept[i].second, gone);
}

/// All that decides what comes out: the command, the compiler, the processor that -march=native
/// means, the variables that compilers read, and every file.
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
  add(compiler.version);
  add(host.name + host.architecture);
  for (const std::string& word : command) add(word);
  for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "GCC_EXEC_PREFIX",
                           "COMPILER_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
    if (const char* value = std::getenv(name)) add(std::string(name) + "=" + value);
  std::vector<fs::path> files = files_of(source);
  for (const fs::path& file : with_included_files(headers, files)) {
    add(file.string());
    add(text_of(file));
  }
  return hash.digest();
}

/// Without what it says of the file that includes the source.
std::string messages_in(const std::string& said, const fs::path& wrapper) {
  std::istringstream lines(said);
  std::string messages;
  for (std::string line; std::getline(lines, line);)
    if (line.find(wrapper.string()) == std::string::npos ||
        line.find("error:") != std::string::npos)
      messages += line + "\n";
  return messages;
}

}  // namespace

fs::path plugin_headers() {
  const std::optional<BuildTree> tree = own_build_tree();
  std::error_code error;
  const fs::path headers = tree ? tree->sources
                                : (fs::read_symlink("/proc/self/exe", error).parent_path() / ".." /
                                   "include" / "gpp-study")
                                      .lexically_normal();
  const std::string stamp(roofline::trimmed(text_of((tree ? tree->folder : headers) / stamp_file)));
  if (stamp.empty())
    throw std::runtime_error(fmt::format(
        "plug-ins are compiled against the headers of gpp, which are not in {}: install "
        "the program with cmake --install, or unpack a whole bundle",
        headers.string()));
  if (stamp != plugin_stamp)
    throw std::runtime_error(
        fmt::format("{}: headers of another version of gpp; install program and headers together",
                    headers.string()));
  return headers;
}

BuiltPlugin build_plugin(const PluginSource& source, const WrapCommand& wrap, fs::path cache) {
  const fs::path headers = plugin_headers();
  const Compiler compiler = compiler_for(*source.recipe);
  Words command = command_for(source, compiler, headers);
  const std::string key = key_of(source, compiler, command, headers);
  cache = cache_or_default(std::move(cache));
  BuiltPlugin built;
  built.library = cache / fmt::format("{}-{}.so", source.name, key.substr(0, 32));
  std::error_code missing;
  fs::last_write_time(built.library, fs::file_time_type::clock::now(), missing);
  if (!missing) {
    built.from_cache = true;
    return built;
  }
  const WorkFolder work(cache);
  const fs::path wrapper = work.path() / (source.recipe->cuda ? "plug_in.cu" : "plug_in.cpp");
  const fs::path made = work.path() / "made.so";
  roofline::write_whole(wrapper, exporting(source));
  // Libraries come last: the linker takes of them what was asked for before.
  const std::size_t links = parted(source.recipe->links, ';').size();
  const Words files = {"-o", made.string(), wrapper.string()};
  command.insert(command.end() - static_cast<std::ptrdiff_t>(links), files.begin(), files.end());
  const auto start = std::chrono::steady_clock::now();
  const roofline::Finished done =
      roofline::run_program(wrap ? wrap(command) : command, longest_compilation);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  built.seconds = took.count();
  built.messages = compiler.differs + messages_in(done.output + done.errors, wrapper);
  if (done.status != 0)
    throw std::runtime_error(fmt::format("{}{} does not compile{}; nothing was run", built.messages,
                                         source.file.string(),
                                         done.silenced            ? " within 10 minutes"
                                         : built.messages.empty() ? ""
                                                                  : ", see above"));
  if (key != key_of(source, compiler, command_for(source, compiler, headers), headers))
    throw std::runtime_error(
        fmt::format("{} changed while it was compiled; begin again", source.file.string()));
  publish(made, built.library);
  prune(cache);
  return built;
}

}  // namespace gpp
