// Folders that commands write into: no study is lost there, and no two write there at once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/measure/measure.h"
#include "roofline/base/file_lock.h"

namespace gpp {

/// The choice where a folder holds a study already, or files drawn from one.
enum class Taken { refuse, replace };

/// A new folder of that name, or of that name and "-2", "-3" and so on where there is one. No other
/// process gets the same. Throws InputError.
std::filesystem::path new_folder(const std::filesystem::path& name);

/// A folder for one study. While this lives, no other study gets it.
///
/// A study that is there is refused; or it is replaced when the new one is complete: until then the
/// new one lies in a folder of its own inside, "unfinished", and stays there if it never gets
/// so far, until the next one replaces it, too. At any instant the record in the folder is either
/// that of the old study, which is whole, or the new one's, marked partial until everything of it
/// is there. Only files that a study writes are ever removed.
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

  /// Where the study will lie in the end.
  const std::filesystem::path& path() const { return path_; }
  /// Where it is written until it is put in place.
  const std::filesystem::path& working() const { return working_; }
  /// The name of a study that lies there, for reports.
  std::string name() const;
  /// Whether an old study keeps its place until put_in_place().
  bool replaces() const { return working_ != path_; }

  /// The study's files take the places of the old one's, its record first. That must be marked
  /// partial.
  void put_in_place();

 private:
  std::filesystem::path path_;
  std::filesystem::path working_;
  bool made_ = false;
  roofline::FileLock lock_;
};

/// Writes the record where the study is written, marked partial. Throws InputError where it cannot.
void write_partial_record(const ResultsFolder& folder, const Measured& measured);

/// Puts a study in place all of whose files are there, and says in its record that it is complete;
/// an interrupted one stays where it was written, marked partial. Throws InputError where that
/// cannot be written.
void put_in_place(ResultsFolder& folder, const Measured& measured);

/// Both, for a study that is nothing but its record.
void write_record_of(ResultsFolder& folder, const Measured& measured);

/// The folder for a report of recorded studies. Throws InputError where it cannot be written, and
/// where it holds a study that the report is not of.
std::filesystem::path report_folder(const std::filesystem::path& named,
                                    const std::vector<std::filesystem::path>& studies);

/// Whether a study, or a report of studies, has a chart of that name or had one of it when it was
/// recorded: "roofline-host-fp32", "plane", "published-sc20", "strong".
bool is_chart_of_study(const std::string& name);

/// The last part of a folder's path, however it is written: "a" of "results/a/".
std::string folder_label(const std::filesystem::path& folder);

}  // namespace gpp
