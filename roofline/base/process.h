// Runs another program and reads its output.
#pragma once

#include <dlfcn.h>
#include <stdlib.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "roofline/base/text.h"

namespace roofline {

/// The exit status of a program, and its output.
struct Finished {
  int status = 0;         ///< exit status; 127 if it could not be started, 128 + n after signal n
  std::string output;     ///< its standard output
  std::string errors;     ///< its standard error
  bool silenced = false;  ///< killed because its standard output was silent for too long
  bool flooded = false;   ///< killed because its standard output was too long
};

/// Runs `arguments[0]` from the PATH with the other arguments, without a shell. Standard input is
/// empty. Returns when the program has ended. With `silence` it may hang: it is killed after so
/// long without standard output, or after more than `most_output` bytes of it, and the first 64 KiB
/// of its standard error are kept.
Finished run_program(const std::vector<std::string>& arguments,
                     std::optional<std::chrono::milliseconds> silence = {},
                     std::size_t most_output = std::string::npos);

/// This program's command line, with the program's name first.
std::vector<std::string> own_command_line();

/// Replaces this process by that program with these arguments. Throws InputError if it cannot be
/// started.
[[noreturn]] void become_program(const std::filesystem::path& program,
                                 std::vector<std::string> words);

/// The file from which the code at this address was loaded; empty: unknown.
inline std::string loaded_from(void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : whole.string();
}

/// True for this process and its descendants.
bool is_own_process(int pid);

/// A private temporary folder that is removed with its owner.
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
