// Finds out whether counters may be read on this machine, and the state of CUPTI. Compiles without
// CUPTI.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace roofline {

/// True if the driver restricts counters to administrators (RmProfilingAdminOnly in its
/// parameters); empty if no driver is loaded or it does not report this.
std::optional<bool> counters_restricted(
    const std::filesystem::path& params = "/proc/driver/nvidia/params");

/// True if this process may read restricted counters: it is root, or has CAP_SYS_ADMIN or
/// CAP_PERFMON (capability sets of proc(5)).
bool is_administrator(const std::filesystem::path& status = "/proc/self/status");

/// The missing permission, and who can grant it, outside of containers and in them.
std::string missing_right();

namespace cupti {

struct Status {
  std::string path;      ///< path of the library; empty if none is usable
  std::string cuda;      ///< CUDA version of the library: "13.0"
  std::string missing;   ///< reason why there is none, with a remedy
  std::string mismatch;  ///< reason why it does not fit the driver, with a remedy; else empty
};

Status status();

}  // namespace cupti
}  // namespace roofline
