// The machine and its processors, as the kernel tells about them; the date.
//
// Files are read below `root`, which is "/" but in tests. A fact that is missing there or makes no
// sense is not known: its value is empty, never a wrong number.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// A level that holds data, instructions beside them or not. 0 or empty: not told.
struct DataCache {
  int level = 0;
  double bytes = 0;
  std::string shared_cpus;  ///< "0-3,8"
};

/// The caches in a CPU's folder, such as "/sys/devices/system/cpu/cpu0/cache", that have a level
/// and a size. Empty where the system does not tell.
std::vector<DataCache> data_caches(const std::filesystem::path& folder);

/// The name of this machine; "unknown" where it has none.
std::string host_name();

double steady_seconds();

/// Now, in UTC: "2025-01-31T12:00:00Z".
std::string utc_now();
/// Any time so: "2026-01-31T12:00:00Z".
std::string utc_text(std::time_t time);

/// The CPUs that a process may use, by number, in order: its affinity. At least one. 0: the calling
/// thread; another that is not there any more has one CPU.
std::vector<int> allowed_cpus(int process = 0);

/// The number of allowed CPUs.
int available_cores();

/// Bytes this process can still take: what the kernel calls available, or less where a control
/// group limits the process.
std::int64_t available_memory();

/// Throws InputError, saying how much is needed and how much is there, when `bytes` exceeds
/// `available`. `source` names the input in the message.
void require_memory(std::int64_t bytes, std::string_view source,
                    std::int64_t available = available_memory());

/// The start of a file, at most a MiB; empty where it cannot be read.
std::string kernel_file(const std::filesystem::path& path);

/// The first line of a file; empty where it cannot be read.
std::string first_line(const std::filesystem::path& file);

/// A whole number from 0 on that takes up the whole text, and nothing else.
std::optional<long long> whole_number(std::string_view text);

/// "0-3,8" as numbers in order; empty where it is no such list.
std::vector<int> parse_processors(std::string_view list);

/// The processors that this process may use: the list as the kernel writes it, checked; empty: not
/// known.
std::string allowed_processors(const std::filesystem::path& root = "/");

/// The number of processors that the machine has switched on; 0: not known.
int online_processors(const std::filesystem::path& root = "/");

/// Processes that wanted to run, averaged over the last minute.
std::optional<double> load_average(const std::filesystem::path& root = "/");

/// Who sets the clock of these processors: "performance", "schedutil"; "mixed" where they differ,
/// empty where nobody says, as on virtual machines.
std::string clock_governor(const std::vector<int>& processors,
                           const std::filesystem::path& root = "/");

/// The folders of the control groups that may hold this process's CPU time back: its own and those
/// above. Of cgroup version 1 and 2.
std::vector<std::filesystem::path> cpu_groups(const std::filesystem::path& root = "/");

/// Cores' worth of CPU time that the tightest of these groups allows; empty where none limits it.
std::optional<double> cpu_quota(const std::vector<std::filesystem::path>& groups);

/// Seconds that these groups have held processes back, of all processors together; empty where no
/// group counts them.
std::optional<double> throttled_seconds(const std::vector<std::filesystem::path>& groups);

/// The clock of the core that asks, MHz, measured: the highest of three short readings, so that one
/// interrupted counts nothing. 0 where this processor is none that can be measured.
double measured_clock_mhz();

}  // namespace roofline
