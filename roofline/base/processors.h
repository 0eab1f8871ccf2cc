// The processors that a study runs on, as the kernel tells about them.
//
// Everything is read below `root`, which is "/" but in tests. What is missing or makes no sense is
// not known: empty, and never a wrong number.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roofline {

/// The start of a file, at most a MiB; empty where it cannot be read.
std::string kernel_file(const std::filesystem::path& path);

/// A whole number from 0 on that takes up the whole text, and nothing else.
std::optional<long long> whole_number(std::string_view text);

/// "0-3,8" as numbers in order; empty where it is no such list.
std::vector<int> parse_processors(std::string_view list);

/// Those that this process may use: the list as the kernel writes it, checked; empty: not known.
std::string allowed_processors(const std::filesystem::path& root = "/");

/// How many the machine has switched on; 0: not known.
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
