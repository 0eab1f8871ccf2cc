#include "roofline/permission.h"

#include <fstream>

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// The value after "key:" in a file of such lines; empty if missing.
std::string value_of(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key + ":")) continue;
    const std::size_t begin = line.find_first_not_of(" \t", key.size() + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

}  // namespace

std::optional<bool> counters_restricted(const fs::path& params) {
  const std::string value = value_of(params, "RmProfilingAdminOnly");
  if (value.empty()) return std::nullopt;
  return value != "0";
}

bool is_administrator(const fs::path& status) {
  constexpr int sys_admin = 21;  // number of the bit in linux/capability.h
  constexpr int perfmon = 38;
  const std::string effective = value_of(status, "CapEff");
  if (effective.empty() || effective.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  const unsigned long long set = std::stoull(effective.substr(0, 16), nullptr, 16);
  return ((set >> sys_admin) & 1) != 0 || ((set >> perfmon) & 1) != 0;
}

std::string missing_right() {
  return "this user may not read the GPU's counters: run with CAP_SYS_ADMIN, which root has "
         "outside "
         "of containers, and docker run --cap-add SYS_ADMIN or the securityContext of a pod gives "
         "inside; or let the host's administrator load the driver with "
         "NVreg_RestrictProfilingToAdminUsers=0 (in /etc/modprobe.d), see "
         "https://developer.nvidia.com/ERR_NVGPUCTRPERM";
}

}  // namespace roofline
