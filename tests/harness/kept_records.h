// The records in the repository.
#pragma once

#include <filesystem>
#include <vector>

namespace gpp::test {

/// Every study.json in results/ except a user's own studies, which git ignores.
inline std::vector<std::filesystem::path> kept_records() {
  namespace fs = std::filesystem;
  std::vector<fs::path> records;
  for (const char* name : {"epyc-2-cores", "h100", "h200", "xeon-16-cores", "xeon-2-cores"})
    for (const auto& entry :
         fs::recursive_directory_iterator(fs::path(GPP_SOURCE_DIR "/results") / name))
      if (entry.path().filename() == "study.json") records.push_back(entry.path());
  return records;
}

}  // namespace gpp::test
