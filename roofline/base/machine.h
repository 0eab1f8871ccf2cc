// Facts about the machine, its processors and processes, as the kernel reports them; the date; runs
// other programs and reads their output.
//
// Files are read below `root`, which differs from "/" only in tests. A missing or nonsensical fact
// is unknown: its value is empty, never a wrong number.
#pragma once

#include <dlfcn.h>
#include <stdlib.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "roofline/base/text.h"

namespace roofline {

/// The name of this machine, or "unknown".
std::string host_name();

double steady_seconds();

/// The current time in UTC: "2025-01-31T12:00:00Z".
std::string utc_now();

/// The numbers of the CPUs in a process's affinity, ascending; at least one. 0 means the calling
/// thread; a process that has ended counts as having one CPU.
std::vector<int> allowed_cpus(int process = 0);

/// The number of allowed CPUs.
int available_cores();

/// The bytes that this process can still allocate: available memory by the kernel, or less if a
/// control group limits the process.
std::int64_t available_memory();

/// Throws InputError with needed and available memory if `bytes` exceeds `available`. `source`
/// names the input in the message.
void require_memory(std::int64_t bytes, std::string_view source,
                    std::int64_t available = available_memory());

/// The start of a file, at most a MiB; empty if unreadable.
std::string kernel_file(const std::filesystem::path& path);

/// The first line of a file; empty if unreadable.
std::string first_line(const std::filesystem::path& file);

/// Parses a text that is exactly one nonnegative integer.
std::optional<long long> whole_number(std::string_view text);

/// Parses "0-3,8" into ascending numbers; empty for other texts.
std::vector<int> parse_processors(std::string_view list);

/// The processors that this process may use, as a checked list in the kernel's format; empty:
/// unknown.
std::string allowed_processors(const std::filesystem::path& root = "/");

/// The number of online processors of the machine; 0: unknown.
int online_processors(const std::filesystem::path& root = "/");

/// The number of runnable processes, averaged over the last minute.
std::optional<double> load_average(const std::filesystem::path& root = "/");

/// The governor that sets the clock of these processors: "performance", "schedutil"; "mixed" if
/// they differ, empty if unknown, as on virtual machines.
std::string clock_governor(const std::vector<int>& processors,
                           const std::filesystem::path& root = "/");

/// The measured clock of the current core, MHz: the highest of three short readings, so that an
/// interrupted one does not matter. 0 if this processor cannot be measured.
double measured_clock_mhz();

/// These processors, the first of each physical core before the others: "0,1" and "2,3" being one
/// core each, 0 2 1 3. In their own order where the system does not tell.
std::vector<int> cores_first(const std::vector<int>& processors,
                             const std::filesystem::path& root = "/");

/// So many of those that this process may use, chosen so.
std::vector<int> first_cores(int count);

/// Sums and products of sizes that saturate at the largest integer, so that even a damaged file's
/// numbers can be compared.
inline std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

/// The product of two nonnegative sizes.
inline std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max()
                                                : product;
}

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
