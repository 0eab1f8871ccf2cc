// Whether counters may be read on this machine, as far as files tell; the state of CUPTI here.
// Needs no CUPTI to compile.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace roofline {

/// Whether the driver keeps the counters for administrators (RmProfilingAdminOnly in its
/// parameters); empty where no driver is loaded or it does not say.
std::optional<bool> counters_restricted(
    const std::filesystem::path& params = "/proc/driver/nvidia/params");

/// Whether this process may read restricted counters: it is root, or has CAP_SYS_ADMIN or
/// CAP_PERFMON (capability sets of proc(5)).
bool is_administrator(const std::filesystem::path& status = "/proc/self/status");

enum class Container {
  none,
  docker,  ///< or Podman
  kubernetes,
  apptainer,  ///< or Singularity
  other
};

/// The container around this process, as far as marks in the environment and below `root` tell. A
/// root that is an overlay of folders is taken for a container's, too.
Container container_here(const std::filesystem::path& root = "/");

/// The right that counting lacks, and who can give it: whoever is root within a container lacks it,
/// too.
std::string missing_right(Container container);

/// Whether a DCGM host engine (nv-hostengine, or the exporter that holds one) runs here: it may
/// hold the counters. Inside a container those of the host are not seen.
bool dcgm_running(const std::filesystem::path& proc = "/proc");

namespace cupti {

struct Status {
  std::string path;      ///< of the library; empty where none can be used
  std::string cuda;      ///< the CUDA version it came with: "13.0"
  std::string missing;   ///< why there is none, with the remedy
  std::string mismatch;  ///< why it does not suit the driver, with the remedy; empty where it does
};

Status status();

}  // namespace cupti
}  // namespace roofline
