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
#include "harness/program/source_diff.h"
#include "harness/record/comparison.h"
#include "harness/record/derive.h"
#include "harness/record/provenance.h"
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

/// Fills in gain and doubt. Returns why there is no gain; empty where there is one.
std::string no_gain(const StudyRecord& study, const Result& result, Standing& standing) {
  if (result.parent.empty()) return "nobody knows what it was made from";
  const Result& parent = study.results.front();
  if (&parent == &result || !parent.timed())
    return fmt::format("{}, which it was made from, was not timed", result.parent);
  standing.gain = parent.timing().median / standing.seconds;
  const Judgement found = judge_times(parent, parent.variant, 1, result, result.variant, 1);
  standing.doubt = found.remark;
  return found.verdict == Verdict::faster || found.verdict == Verdict::undecided
             ? ""
             : fmt::format("it is not faster than {}", result.parent);
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
  submission.contestant = {variant_of(source, {}), source.recipe->kind, built.library};
  const Variant& variant = submission.contestant.variant;
  const Variant* const parent = predecessor(kernel.catalog(), variant, source.text);
  submission.parent = parent == nullptr ? "" : parent->id;
  submission.library_sha256 = roofline::sha256_of_file(built.library);
  submission.compile_s = built.seconds;
  return submission;
}

void fields(roofline::Fields& field, Judged& judged) {
  Submission& submission = judged.submission;
  field("name", submission.name, roofline::any_text);
  field("model", submission.contestant.variant.model, roofline::name_or_empty);
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

StudyRecord record_of(const Kernel& kernel, const Subject& subject, const Judged& judged,
                      const Judged* parent, bool ceilings, const Secret& secret) {
  const Submission& submission = judged.submission;
  const Contestant& contestant = submission.contestant;
  std::vector<DeviceDescription> gpus;
  if (contestant.kind == "gpu")
    gpus.push_back(runtime_of(kernel, contestant.variant.model, contestant.kind).describe());
  StudyRecord study = study_from_now(kernel, std::move(gpus));
  study.input = subject.input();
  study.reference = subject.reference();
  for (const Judged* const one : {parent, &judged}) {
    if (one == nullptr) continue;
    study.results.push_back(one->ruling);
    study.results.back().parent = one->submission.parent;
  }
  if (ceilings) study.ceilings.push_back(roofline::ceilings_of(contestant.kind));
  refuse_impossible(study);
  derive(study);
  study.judge = {.team = submission.name,
                 .source_sha256 = submission.source_sha256,
                 .library_sha256 = submission.library_sha256,
                 .layers = judged.ruling.layers.tried,
                 .round_trip_seconds = judged.ruling.round_trip_s,
                 .problems_per_go = judged.ruling.together};
  sign(study, secret);
  return study;
}

Standing standing_of(const StudyRecord& study) {
  const Result& result = study.results.back();
  Standing standing;
  standing.over = result.parent;
  if (result.status != Status::passed) return standing;
  if (!result.timed()) {
    standing.no_rank = "it was not timed";
    return standing;
  }
  standing.samples = result.trusted().samples;
  standing.seconds = result.timing().median;
  standing.spread = result.timing().spread();
  standing.no_rank = no_gain(study, result, standing);
  if (ceilings_of_kind(study, result.kind) == nullptr)
    standing.no_rank =
        "no roofs were measured, so nobody can tell whether its time is possible; judge without "
        "--ceilings off";
  if (const std::string lacks = study.judge->lacks(); !lacks.empty())
    standing.no_rank = "it was judged without " + lacks;
  return standing;
}

void rank(std::vector<Judged>& all) {
  const auto others = std::ranges::stable_partition(
      all, [](const Judged& one) { return one.standing.no_rank.empty(); });
  const std::ranges::subrange ranked(all.begin(), others.begin());
  std::ranges::sort(ranked, {}, [](const Judged& one) { return one.standing.seconds; });
  std::size_t first = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    const Standing &best = all[first].standing, &own = all[i].standing;
    const bool same = own.seconds == best.seconds ||
                      compare_times(best.samples, own.samples, 1, 1) == Verdict::same;
    if (!same) first = i;
    all[i].standing.rank = static_cast<int>(first) + 1;
  }
}

}  // namespace gpp
