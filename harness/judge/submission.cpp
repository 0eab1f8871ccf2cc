#include "harness/judge/submission.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>

#include "harness/plugin/plugin.h"
#include "harness/program/build_tree.h"
#include "harness/program/source_diff.h"
#include "roofline/base/error.h"
#include "roofline/base/replace_file.h"
#include "roofline/base/sha256.h"
#include "roofline/base/visible.h"
#include "roofline/ceilings/cache.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using roofline::InputError;

constexpr std::size_t most_bytes = 1 << 20, most_files = 32, longest_name = 64;

[[noreturn]] void refuse_submission(const fs::path& path, const std::string& why) {
  throw InputError(fmt::format("{}: {}", roofline::visible(path.string()), why));
}

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

/// Nobody can exchange it for a link or a pipe meanwhile.
std::string text_in(int folder, const std::string& name, const fs::path& shown, bool follow) {
  const Descriptor file(
      openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW)));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    refuse_submission(shown, "cannot be read, or is a link");
  if (!S_ISREG(status.st_mode)) refuse_submission(shown, "is no regular file");
  std::string text(most_bytes + 1, '\0');
  std::size_t size = 0;
  for (ssize_t count = 1; count > 0 && size < text.size(); size += static_cast<std::size_t>(count))
    count = std::max<ssize_t>(0, read(file.get(), text.data() + size, text.size() - size));
  if (size > most_bytes) refuse_submission(shown, "has more than a MiB");
  text.resize(size);
  return text;
}

bool is_taken(const fs::path& name) {
  const std::string kind = name.extension().string();
  return kind == ".cpp" || kind == ".cu" || kind == ".h" || kind == ".cuh" || kind == ".hpp";
}

void require_plain_name(const fs::path& shown, const std::string& name) {
  const bool plain = std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
  if (!plain || name.starts_with('.') || name.size() > longest_name)
    refuse_submission(shown, "names of files have letters, digits, '_', '-' and '.', 64 at most");
}

/// Whoever looks for included files must not look elsewhere. The compiler itself sees nothing else.
void require_own_includes(const fs::path& shown, const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find_first_not_of(" \t"), quote = line.find('"');
    if (hash == std::string::npos || line[hash] != '#' || quote == std::string::npos ||
        line.find("include") > quote)
      continue;
    const std::string name = line.substr(quote + 1);
    if (name.starts_with('/') || name.find("..") != std::string::npos)
      refuse_submission(shown, fmt::format("includes a file that is not its own: \"{}",
                                           roofline::visible(name.substr(0, longest_name))));
  }
}

using Texts = std::map<std::string, std::string>;

Texts texts_of(const fs::path& path) {
  Texts texts;
  const Descriptor folder(open(path.c_str(), O_DIRECTORY | O_RDONLY | O_CLOEXEC));
  if (folder.get() < 0) {
    texts[path.filename().string()] = text_in(AT_FDCWD, path.string(), path, true);
  } else {
    for (const auto& entry :
         fs::directory_iterator(fmt::format("/proc/self/fd/{}", folder.get()))) {
      const std::string name = entry.path().filename().string();
      if (!is_taken(name)) continue;
      if (texts.size() == most_files) refuse_submission(path, "holds more than 32 sources");
      texts[name] = text_in(folder.get(), name, path / name, false);
    }
    if (texts.empty()) refuse_submission(path, "holds no source (.cpp or .cu)");
  }
  for (const auto& [name, text] : texts) {
    require_plain_name(path, name);
    require_own_includes(path / name, text);
  }
  return texts;
}

std::string hash_of(const Texts& texts) {
  roofline::Sha256 hash;
  for (const auto& [name, text] : texts)
    for (const std::string* const part : {&name, &text}) {
      const std::uint64_t size = part->size();
      hash.add(&size, sizeof(size));
      hash.add(part->data(), part->size());
    }
  return hash.digest();
}

/// A private folder, in which compiled submissions are kept, too.
fs::path judged_folder() {
  const fs::path roofs = roofline::cache_folder();
  if (roofs.empty())
    throw InputError(
        "submissions are compiled in a folder of XDG_CACHE_HOME, or of HOME; neither is set");
  return roofs.parent_path() / "gpp" / "judged";
}

/// The folders of headers, and not all that lies beside them in a tree.
std::vector<fs::path> header_folders() {
  const fs::path headers = plugin_headers();
  if (!own_build_tree()) return {headers};
  std::vector<fs::path> folders;
  for (const char* name :
       {"data", "examples", "gpp", "harness", "roofline", "runtimes", "variants"})
    folders.push_back(headers / name);
  return folders;
}

}  // namespace

void fields(roofline::Fields& field, Judged& judged) {
  Submission& submission = judged.submission;
  field("name", submission.name, roofline::any_text);
  field("model", submission.contestant.model, roofline::name_or_empty);
  field("device", submission.contestant.kind, roofline::name_or_empty);
  field("source_sha256", submission.source_sha256, roofline::name_or_empty);
  field("library_sha256", submission.library_sha256, roofline::name_or_empty);
  field("compile_s", submission.compile_s, roofline::bounds::seconds);
  fields(field, judged.ruling);
  field("rank", judged.standing.rank, roofline::Whole{});
  field("no_rank", judged.standing.no_rank, roofline::any_text);
  field("doubt", judged.standing.doubt, roofline::any_text);
  field("over", judged.standing.over, roofline::name_or_empty);
  field("gain", judged.standing.gain, roofline::bounds::not_negative);
}

Submission take_in(const fs::path& file_or_folder, const Kernel& kernel, std::string_view kind,
                   const Sandbox& sandbox) {
  const fs::path path = fs::absolute(file_or_folder).lexically_normal();
  const std::string last =
      path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
  const Texts texts = texts_of(path.has_filename() ? path : path.parent_path());
  require_plain_name(path, last);
  Submission submission;
  submission.name = is_taken(last) ? fs::path(last).stem().string() : last;
  submission.source_sha256 = hash_of(texts);
  const fs::path judged = judged_folder();
  const fs::path staged = judged / submission.source_sha256 / submission.name;
  fs::create_directories(staged);
  for (const auto& [name, text] : texts) roofline::write_whole(staged / name, text);
  const PluginSource source = plugin_in(staged, kernel, kind);
  const WrapCommand wrap = [&](std::vector<std::string> command) {
    SandboxView view{header_folders()};
    view.readable.push_back(staged);
    const auto output = std::ranges::find(command, "-o");
    if (output != command.end() && output + 1 != command.end())
      view.writable.push_back(fs::path(*(output + 1)).parent_path());
    return sandbox.wrap_compiler(command, view);
  };
  const BuiltPlugin built = build_plugin(source, wrap, judged / "libraries");
  const Variant variant = variant_of(source, {});
  submission.contestant = {source.name,         source.name,   source.model,
                           source.recipe->kind, built.library, variant.operations};
  const Variant* const parent = predecessor(kernel.catalog(), variant, source.text);
  submission.parent = parent == nullptr ? "" : parent->id;
  submission.library_sha256 = roofline::sha256_of_file(built.library);
  submission.messages = built.messages;
  submission.compile_s = built.seconds;
  return submission;
}

}  // namespace gpp
