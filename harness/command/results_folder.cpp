#include "harness/command/results_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include "harness/program/source_files.h"
#include "harness/record/provenance.h"
#include "harness/record/record.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = ".gpp-lock";

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw roofline::InputError(fmt::format("-o {}: {}; choose another folder", folder.string(), why));
}

bool can_write(const fs::path& folder) { return access(folder.c_str(), W_OK | X_OK) == 0; }

/// Makes the folder and those above it. Returns whether it was not there.
bool make_writable(const fs::path& folder) {
  std::error_code error, none;
  const bool made = fs::create_directories(folder, error);
  if (!fs::is_directory(folder, none) || !can_write(folder))
    refuse(folder, "not a folder that can be written" + (error ? ": " + error.message() : ""));
  return made;
}

/// Whether a study, or a report of studies, writes a file of that name.
bool is_of_a_study(const fs::path& name) {
  for (const char* file : {"study.json", "study.csv", "summary.txt", "report.html"})
    if (name == file) return true;
  return (name.extension() == ".svg" || name.extension() == ".csv") &&
         is_chart_of_study(name.stem().string());
}

std::vector<fs::path> files_of_a_study(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (is_of_a_study(entry->path().filename())) files.push_back(entry->path());
  return files;
}

/// Called after the time and the host.
fs::path new_default_folder() {
  const std::optional<BuildTree> tree = own_build_tree();  // an installed program has none
  const fs::path results = tree ? tree->sources / "results" : fs::path();
  return new_folder(can_write(results) ? results / folder_name() : fs::path(folder_name()));
}

}  // namespace

bool is_chart_of_study(const std::string& name) {
  constexpr std::array<std::string_view, 7> kinds = {"roofline",  "time",   "plane", "ladder",
                                                     "published", "strong", "weak"};
  return std::ranges::find(kinds, name.substr(0, name.find('-'))) != kinds.end();
}

fs::path new_folder(const fs::path& name) {
  constexpr int most = 10000;
  std::error_code error;
  for (int i = 1; i <= most; ++i) {
    fs::path folder = name;
    if (i > 1) folder += fmt::format("-{}", i);
    if (fs::create_directory(folder, error)) return folder;  // else somebody made it before
    if (error && error != std::errc::file_exists) break;
  }
  refuse(name, "cannot be made: " + (error ? error.message() : "every such name is taken"));
}

ResultsFolder::ResultsFolder(const fs::path& named, Taken if_taken)
    : final_(named.empty() ? new_default_folder() : named), path_(final_) {
  made_ = make_writable(final_) || named.empty();
  std::string why;
  if (!lock_.take(final_ / lock_name, 0, why))
    refuse(final_,
           why.empty() ? "another study is being written into it" : "cannot be locked: " + why);
  if (files_of_a_study(final_).empty()) return;
  if (if_taken == Taken::refuse)
    refuse(final_,
           "holds a study already, or what was drawn from one; --replace replaces what is there");
  path_ = new_folder(fs::absolute(final_ / "..").lexically_normal() /
                     (folder_label(final_) + "-partial"));
}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  lock_.release();
  if (made_ || path_ != final_) fs::remove(path_, ignored);  // removes nothing but an empty folder
}

void ResultsFolder::write(const StudyRecord& study) {
  const fs::path partial = path_;
  if (study.complete) path_ = final_;
  write_record(path_, study);
  std::error_code ignored;
  for (const fs::path& old : files_of_a_study(path_))
    if (old.filename() != "study.json") fs::remove(old, ignored);
  if (partial == path_) return;
  fs::remove(partial / "study.json", ignored);
  fs::remove(partial, ignored);
}

fs::path report_folder(const fs::path& named) {
  make_writable(named);
  return named;
}

std::string folder_label(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace gpp
