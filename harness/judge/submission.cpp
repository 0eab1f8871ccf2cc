#include "harness/judge/submission.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <sstream>

#include "harness/measure/measure.h"
#include "harness/plugin/plugin.h"
#include "harness/program/source_files.h"
#include "harness/record/comparison.h"
#include "harness/record/derive.h"
#include "harness/record/provenance.h"
#include "roofline/base/files.h"
#include "roofline/base/text.h"
#include "roofline/ceilings/measure.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;
using roofline::InputError;

constexpr std::size_t most_bytes = 1 << 20, most_files = 32, longest_name = 64;

[[noreturn]] void refuse_submission(const fs::path& path, const std::string& why) {
  throw InputError(fmt::format("{}: {}", roofline::visible(path.string()), why));
}

/// Nobody can exchange it for a link or a pipe meanwhile.
std::string text_in(int folder, const std::string& name, const fs::path& shown, int flags) {
  const int descriptor = openat(folder, name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | flags);
  const std::shared_ptr<std::FILE> file(descriptor < 0 ? nullptr : fdopen(descriptor, "r"),
                                        [](std::FILE* one) {
                                          if (one != nullptr) std::fclose(one);
                                        });
  struct stat status {};
  if (file == nullptr || fstat(descriptor, &status) != 0)
    refuse_submission(shown, "cannot be read, or is a link");
  if (!S_ISREG(status.st_mode)) refuse_submission(shown, "is no regular file");
  std::string text(most_bytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (text.size() > most_bytes) refuse_submission(shown, "has more than a MiB");
  return text;
}

bool is_taken(const fs::path& name) {
  const std::set<std::string> kinds = {".cpp", ".cu", ".h", ".cuh", ".hpp"};
  return kinds.contains(name.extension().string());
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
  const std::shared_ptr<DIR> folder(opendir(path.c_str()), [](DIR* one) {
    if (one != nullptr) closedir(one);
  });
  if (folder == nullptr) {
    texts[path.filename().string()] = text_in(AT_FDCWD, path.string(), path, 0);
  } else {
    while (const dirent* const entry = readdir(folder.get())) {
      const std::string name = entry->d_name;
      if (!is_taken(name)) continue;
      if (texts.size() == most_files) refuse_submission(path, "holds more than 32 sources");
      texts[name] = text_in(dirfd(folder.get()), name, path / name, O_NOFOLLOW);
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

Submission take_in(const fs::path& file_or_folder, const Kernel& kernel, std::string_view kind,
                   const Sandbox& sandbox) {
  fs::path path = fs::absolute(file_or_folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  const std::string last = path.filename();
  const Texts texts = texts_of(path);
  require_plain_name(path, last);
  Submission submission;
  submission.name = is_taken(last) ? fs::path(last).stem().string() : last;
  submission.source_sha256 = hash_of(texts);
  const fs::path judged = kept_folder("judged");
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
  submission.variant = variant_of(source, {});
  submission.kind = source.recipe->kind;
  submission.library = built.library;
  submission.library_sha256 = roofline::sha256_of_file(built.library);
  return submission;
}

StudyRecord record_of(const Kernel& kernel, const Subject& subject, Ruling& ruling, bool ceilings,
                      const Secret& secret) {
  std::vector<DeviceDescription> gpus;
  if (ruling.kind == "gpu")
    gpus.push_back(runtime_of(kernel, ruling.model, ruling.kind).describe());
  StudyRecord study = study_from_now(kernel, std::move(gpus));
  study.input = subject.input();
  study.reference = subject.reference();
  study.results.push_back(ruling);
  if (ceilings) study.ceilings.push_back(roofline::ceilings_of(ruling.kind));
  refuse_impossible(study);
  derive(study);
  study.judge = {.team = ruling.submission.name,
                 .source_sha256 = ruling.submission.source_sha256,
                 .library_sha256 = ruling.submission.library_sha256,
                 .layers = ruling.layers.tried,
                 .round_trip_seconds = ruling.round_trip_s,
                 .problems_per_go = ruling.together};
  sign(study, secret);
  static_cast<Result&>(ruling) = study.results.back();
  ruling.no_rank = no_rank(study);
  return study;
}

std::string no_rank(const StudyRecord& study) {
  const Result& result = study.results.back();
  if (result.status != Status::passed) return "it did not pass";
  if (!result.timed()) return "it was not timed";
  if (const std::string lacks = study.judge->lacks(); !lacks.empty())
    return "it was judged without " + lacks;
  if (ceilings_of_kind(study, result.kind) == nullptr)
    return "no roofs were measured, so nobody can tell whether its time is possible; judge without "
           "--ceilings off";
  return {};
}

void rank(std::vector<Ruling>& all) {
  const auto seconds = [](const Ruling& one) { return one.timing().median; };
  const auto others = std::ranges::stable_partition(all, &std::string::empty, &Ruling::no_rank);
  std::ranges::sort(all.begin(), others.begin(), {}, seconds);
  const Ruling* best = nullptr;
  for (auto one = all.begin(); one != others.begin(); ++one) {
    const bool same = best != nullptr && (seconds(*best) == seconds(*one) ||
                                          compare_times(best->trusted().samples,
                                                        one->trusted().samples) == Verdict::same);
    if (!same) best = &*one;
    one->rank = same ? best->rank : static_cast<int>(one - all.begin()) + 1;
  }
}

}  // namespace gpp
