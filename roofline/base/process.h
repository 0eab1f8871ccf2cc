// Running another program and listening to it.
#pragma once

#include <dlfcn.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace roofline {

/// The end of a program, and its words.
struct Finished {
  int status = 0;      ///< exit status; 127 where it could not be started, 128 + n after signal n
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
  bool silenced = false;  ///< ended from here, because its standard output was silent for too long
  bool flooded = false;   ///< ended from here, because its standard output became too long
};

/// Runs `arguments[0]`, looked up on the PATH, with the rest as its arguments; no shell takes part.
/// Standard input is empty. Returns when the program has ended.
Finished run_program(const std::vector<std::string>& arguments);

/// Runs a program that may hang or flood: ends it where nothing came on its standard output for
/// `silence`, or more than `most_output` bytes came; keeps the first 64 KiB of its standard error.
Finished run_program(const std::vector<std::string>& arguments, std::chrono::milliseconds silence,
                     std::size_t most_output = std::string::npos);

/// The words of this program's own command line, its name first.
std::vector<std::string> own_command_line();

/// Goes on as that program with these words instead of this process. Throws InputError where it
/// cannot be started.
[[noreturn]] void become_program(const std::filesystem::path& program,
                                 std::vector<std::string> words);

/// The file that an address of this process was loaded from; empty: not known.
inline std::string loaded_from(void* address) {
  Dl_info info{};
  if (address == nullptr || dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "";
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : whole.string();
}

/// Whether it is this process, or one that it or one of its children started.
bool is_own_process(int pid);

}  // namespace roofline
