// Folders that commands write into: no study is lost there, and no two write there at once.
#pragma once

#include <filesystem>
#include <string>

#include "harness/record/record.h"
#include "roofline/base/files.h"

namespace gpp {

/// The choice where a folder holds a study already, or files drawn from one.
enum class Taken { refuse, replace };

/// A new folder of that name, or of that name and "-2", "-3" and so on where there is one. No other
/// process gets the same. Throws InputError.
std::filesystem::path new_folder(const std::filesystem::path& name);

/// A folder for one study. While this lives, no other study gets it. A study that is there is
/// refused; or it is replaced: the new one is kept in a folder "NAME-partial" beside it, and takes
/// its place once it is complete. What was drawn from the old one goes then.
class ResultsFolder {
 public:
  /// Makes the folder: the one named, or else a new one called after the time and the host, in
  /// results/ of the source tree where that can be written and in the current folder where not.
  /// Throws InputError where it cannot be written, where another study is being written into it,
  /// and where it is taken.
  ResultsFolder(const std::filesystem::path& named, Taken if_taken);
  /// A folder that was made for nothing goes again.
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  /// Where the record lies now.
  const std::filesystem::path& path() const { return path_; }

  /// Writes the record, a complete one in its place, and removes what was drawn from an older one.
  /// Throws InputError where it cannot.
  void write(const StudyRecord& study);

 private:
  std::filesystem::path final_, path_;
  bool made_ = false;
  roofline::FileLock lock_;
};

/// Makes the folder for a report of recorded studies. Throws InputError where it cannot be written.
std::filesystem::path report_folder(const std::filesystem::path& named);

/// Whether a study, or a report of studies, has a chart of that name or had one of it when it was
/// recorded: "roofline-host-fp32", "plane", "published-sc20", "strong".
bool is_chart_of_study(const std::string& name);

/// The last part of a folder's path, however it is written: "a" of "results/a/".
std::string folder_label(const std::filesystem::path& folder);

}  // namespace gpp
