// Profiles from the files of other profilers: Nsight Compute's CSV, rocprof's, rocprofv3's and
// rocprof-compute's; and files with formulas of their work.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/counters.h"
#include "roofline/profile.h"

namespace roofline {

namespace inject {
class Chooser;
}

/// Reads the files, or those in folders, which belong to one profile of one device: any number of
/// Nsight Compute's tables, or of rocprof's. Launches that stand in several are the same: `joined`.
/// Roofs that rocprof-compute measured (roofline.csv) become the profile's. Beside a rocprof table
/// pmc_perf.csv or counter_collection.csv, those of times, roofs and the device are read too where
/// they lie in the same folder and bear the same name otherwise. `chip` is AMD's, "gfx942", where
/// no file tells; empty: gfx90a then, which the device's name says. Throws InputError with file,
/// line and remedy for whatever cannot be read, or is the CSV of something else.
Profile import_profile(const std::vector<std::filesystem::path>& files,
                       const std::string& chip = "");

/// The roofs of one of the published_names(); or those in a file or its folder: a study, a profile,
/// `roofline ceilings --json`, or roofline.csv. `kind`: of the profile, for files that hold
/// several devices; roofs of another kind are refused. Throws InputError.
Ceilings roofs_called(const std::string& name_or_file, const std::string& kind);

/// The names that roofs_called() takes, for people: "v100, ..., or a file or folder with roofs".
std::string roofs_to_call();

/// The roofs of that name; nothing for any other. Those of papers and data sheets name their source
/// in each definition, those that were measured here are `from` a record in results/.
std::optional<Ceilings> published_roofs(std::string_view name);

std::vector<std::string> published_names();

/// The name of the roofs that were measured here on that very device, or that its data sheet tells;
/// empty where there are none.
std::string published_name(const std::string& device, const std::string& kind);

/// A file with formulas of the operations and bytes of kernels. Its form is that of
/// models/model_table.h; docs/roofline.md describes it.
class WorkFile {
 public:
  /// Reads the text; `source` is its name for messages. Throws InputError with the line.
  WorkFile(std::string_view text, const std::string& source);

  /// States the work of the kernels whose names fit, in place of what formulas stated before, and
  /// derives anew. What has no value is missing, with the line of its formula. Returns the
  /// expressions that fit no kernel.
  std::vector<std::string> state(Profile& profile) const;

 private:
  struct Amount {
    std::string key;
    std::string place;  ///< "work.txt:4"
    Formula formula;
  };
  struct Entry {
    std::string expression;
    std::shared_ptr<inject::Chooser> chooser;
    std::vector<Amount> amounts;
  };
  void state(const Entry& entry, KernelProfile& kernel) const;

  std::string source_;
  std::vector<Entry> entries_;
};

/// Reads a file. Throws InputError.
WorkFile work_file(const std::string& name);

}  // namespace roofline
