#include "roofline/permission.h"

#include <cstdlib>
#include <fstream>
#include <string>

namespace roofline {
namespace {

namespace fs = std::filesystem;

/// The value after "key:" in a file of such lines; empty without one.
std::string value_of(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key + ":")) continue;
    const std::size_t begin = line.find_first_not_of(" \t", key.size() + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::optional<bool> counters_restricted(const fs::path& params) {
  const std::string value = value_of(params, "RmProfilingAdminOnly");
  if (value.empty()) return std::nullopt;
  return value != "0";
}

bool is_administrator(const fs::path& status) {
  constexpr int sys_admin = 21;  // linux/capability.h
  constexpr int perfmon = 38;
  const std::string effective = value_of(status, "CapEff");
  if (effective.empty() || effective.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  const unsigned long long set = std::stoull(effective.substr(0, 16), nullptr, 16);
  return ((set >> sys_admin) & 1) != 0 || ((set >> perfmon) & 1) != 0;
}

bool in_container(const fs::path& root) {
  std::error_code error;
  for (const char* mark : {".dockerenv", "run/.containerenv", ".singularity.d"})
    if (fs::exists(root / mark, error)) return true;
  return std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
}

std::string missing_right(bool container) {
  const std::string gives =
      container ? "whoever starts this container can give it CAP_SYS_ADMIN (docker run --cap-add "
                  "SYS_ADMIN), or the host's administrator"
                : "run as root or with CAP_SYS_ADMIN, or the administrator of this machine";
  return "this user may not read the GPU's counters: " + gives +
         " can load the driver with NVreg_RestrictProfilingToAdminUsers=0 (in /etc/modprobe.d), "
         "see https://developer.nvidia.com/ERR_NVGPUCTRPERM";
}

bool dcgm_running(const fs::path& proc) {
  std::error_code error;
  for (const auto& process : fs::directory_iterator(proc, error)) {
    if (!is_number(process.path().filename().string())) continue;
    std::ifstream file(process.path() / "comm");  // 15 characters of the name at most
    std::string name;
    std::getline(file, name);
    if (name == "nv-hostengine" || name == "dcgm-exporter") return true;
  }
  return false;
}

}  // namespace roofline
