#include "harness/command/results_folder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

#include "harness/program/build_tree.h"
#include "harness/record/provenance.h"
#include "harness/record/record.h"
#include "roofline/base/error.h"
#include "roofline/base/replace_file.h"

namespace gpp {
namespace {

namespace fs = std::filesystem;

constexpr const char* lock_name = ".gpp-lock";

bool can_write(const fs::path& folder) { return access(folder.c_str(), W_OK | X_OK) == 0; }

[[noreturn]] void refuse(const fs::path& folder, const std::string& why) {
  throw roofline::InputError(fmt::format("-o {}: {}", folder.string(), why));
}

void require_writable(const fs::path& folder, const std::error_code& made) {
  std::error_code error;
  if (!fs::is_directory(folder, error) || !can_write(folder))
    refuse(folder, fmt::format("not a folder that can be written{}; choose another",
                               made ? ": " + made.message() : ""));
}

/// Whether a study, or a report of studies, writes a file of that name, or did in earlier versions.
bool is_of_a_study(const fs::path& name) {
  for (const char* own : {"study.json", "study.csv", "summary.txt", "report.html"})
    if (name == own) return true;
  for (const char* ending : {".svg", ".csv", ".gp", ".png"})
    if (name.extension() == ending) return is_chart_of_study(name.stem().string());
  return false;
}

std::vector<fs::path> files_of_a_study(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (is_of_a_study(entry->path().filename())) files.push_back(entry->path());
  return files;
}

/// Removes a study that was killed or interrupted before it took the place of the one in the
/// folder. Nobody writes into it: the folder is locked.
void remove_unfinished(const fs::path& left) {
  std::error_code error;
  for (const fs::path& file : files_of_a_study(left)) fs::remove(file, error);
  roofline::remove_partial_files(left);
  fs::remove(left, error);  // unless there is something else in it
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error);
}

}  // namespace

bool is_chart_of_study(const std::string& name) {
  static constexpr std::array<std::string_view, 7> kinds = {
      "roofline", "time", "plane", "ladder", "published", "strong", "weak"};
  const std::string kind = name.substr(0, name.find('-'));
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

fs::path new_folder(const fs::path& name) {
  constexpr int most = 10000;
  for (int i = 1; i <= most; ++i) {
    fs::path folder = name;
    if (i > 1) folder += fmt::format("-{}", i);
    std::error_code error;
    if (fs::create_directory(folder, error)) return folder;  // else somebody made it before
    if (error && error != std::errc::file_exists)
      refuse(folder, fmt::format("cannot be made: {}; choose another", error.message()));
  }
  refuse(name, "taken, and so is every name like it; choose another");
}

fs::path new_default_folder() {
  const std::optional<BuildTree> tree = own_build_tree();  // an installed program has none
  const fs::path results = tree ? tree->sources / "results" : fs::path();
  return new_folder(can_write(results) ? results / folder_name() : fs::path(folder_name()));
}

ResultsFolder::ResultsFolder(const fs::path& named, Taken if_taken) : path_(named) {
  std::error_code error;
  if (named.empty()) {
    path_ = new_default_folder();
    made_ = true;
  } else {
    made_ = fs::create_directories(path_, error);
  }
  require_writable(path_, error);
  working_ = path_;
  lock();
  const std::vector<fs::path> old = files_of_a_study(path_);
  if (old.empty()) return;
  if (if_taken == Taken::refuse)
    refuse(path_,
           "holds a study already, or what was drawn from one; choose another folder, or replace "
           "what is there with --replace");
  remove_unfinished(path_ / "unfinished");
  working_ = path_ / "unfinished";
  fs::create_directory(working_, error);
  require_writable(working_, error);
}

ResultsFolder::~ResultsFolder() {
  std::error_code ignored;
  if (replaces()) fs::remove(working_, ignored);  // removes nothing but empty folders
  lock_.release();
  if (made_) fs::remove(path_, ignored);
}

std::string ResultsFolder::name() const { return folder_label(path_); }

void ResultsFolder::lock() {
  const fs::path file = path_ / lock_name;
  std::string why;
  if (lock_.take(file, 0, why)) return;
  if (why.empty()) refuse(path_, "another study is being written into it; choose another folder");
  refuse(path_, fmt::format("cannot be locked: {}: {}; choose another", file.string(), why));
}

void ResultsFolder::put_in_place() {
  if (!replaces()) return;
  const auto move = [this](const fs::path& file) {
    std::error_code error;
    fs::rename(file, path_ / file.filename(), error);
    if (error)
      refuse(path_, fmt::format("{} cannot be put in place: {}; it lies in {}",
                                file.filename().string(), error.message(), working_.string()));
  };
  move(working_ / "study.json");  // from here on the folder holds the new study, marked partial
  std::error_code ignored;
  for (const fs::path& old : files_of_a_study(path_))
    if (old.filename() != "study.json") fs::remove(old, ignored);
  for (const fs::path& file : files_of_a_study(working_)) move(file);
  fs::remove(working_, ignored);
  working_ = path_;
}

void write_partial_record(const ResultsFolder& folder, const Measured& measured) {
  StudyRecord partial = measured.study;
  partial.complete = false;
  write_record(folder.working(), partial);
}

void put_in_place(ResultsFolder& folder, const Measured& measured) {
  if (measured.interrupted) return;
  folder.put_in_place();
  write_record(folder.path(), measured.study);
}

void write_record_of(ResultsFolder& folder, const Measured& measured) {
  write_partial_record(folder, measured);
  put_in_place(folder, measured);
}

fs::path report_folder(const fs::path& named, const std::vector<fs::path>& studies) {
  std::error_code error;
  fs::create_directories(named, error);
  require_writable(named, error);
  for (const char* name : {"study.json", "trajectory.json"}) {
    const fs::path record = named / name;
    if (!fs::exists(fs::symlink_status(record, error))) continue;
    const fs::path& study = studies.front();
    const bool its_own = studies.size() == 1 &&
                         same_file(record, fs::is_directory(study, error) ? study / name : study);
    if (!its_own)
      refuse(named,
             fmt::format("holds a {} that this report is not of; name another folder with -o",
                         name == std::string("study.json") ? "study" : "trajectory"));
  }
  return named;
}

std::string folder_label(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace gpp
