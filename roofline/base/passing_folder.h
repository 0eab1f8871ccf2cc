// A private temporary folder that is removed with its owner.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "roofline/base/error.h"
#include "roofline/base/visible.h"

namespace roofline {

class PassingFolder {
 public:
  /// Makes a folder with this prefix in the folder for temporary files. Throws InputError.
  explicit PassingFolder(const std::string& begin) {
    namespace fs = std::filesystem;
    std::string name = (fs::absolute(fs::temp_directory_path()) / (begin + "-XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr)
      throw InputError(visible(name) + ": this folder cannot be made; TMPDIR names another place");
    path_ = name;
  }
  ~PassingFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace roofline
