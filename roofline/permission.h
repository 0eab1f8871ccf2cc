// Whether counters may be read on this machine, as far as files tell.
#pragma once

#include <filesystem>
#include <optional>

namespace roofline {

/// Whether the driver keeps the counters for administrators (RmProfilingAdminOnly in its
/// parameters); empty where no driver is loaded or it does not say.
std::optional<bool> counters_restricted(
    const std::filesystem::path& params = "/proc/driver/nvidia/params");

/// Whether this process may read restricted counters: it is root, or has CAP_SYS_ADMIN or
/// CAP_PERFMON (capability sets of proc(5)).
bool is_administrator(const std::filesystem::path& status = "/proc/self/status");

/// Whether a DCGM host engine (nv-hostengine, or the exporter that holds one) runs here: it may
/// hold the counters. Inside a container those of the host are not seen.
bool dcgm_running(const std::filesystem::path& proc = "/proc");

}  // namespace roofline
