#include "roofline/permission.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

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

/// Finds a line such as "22 1 0:21 / / rw - overlay overlay rw" (proc(5)): the fifth word is the
/// mount point, and the type follows the dash.
bool has_overlay_root(const fs::path& mounts) {
  std::ifstream file(mounts);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word, point;
    for (int i = 0; i < 5; ++i) words >> point;
    while (words >> word && word != "-") {
    }
    if (point == "/" && words >> word) return word == "overlay";
  }
  return false;
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
  constexpr int sys_admin = 21;  // number of the bit in linux/capability.h
  constexpr int perfmon = 38;
  const std::string effective = value_of(status, "CapEff");
  if (effective.empty() || effective.find_first_not_of("0123456789abcdef") != std::string::npos)
    return false;
  const unsigned long long set = std::stoull(effective.substr(0, 16), nullptr, 16);
  return ((set >> sys_admin) & 1) != 0 || ((set >> perfmon) & 1) != 0;
}

bool in_container(const fs::path& root) {
  std::error_code error;
  for (const char* mark : {".dockerenv", ".singularity.d", "run/.containerenv",
                           "run/secrets/kubernetes.io", "run/systemd/container"})
    if (fs::exists(root / mark, error)) return true;
  for (const char* variable : {"KUBERNETES_SERVICE_HOST", "APPTAINER_CONTAINER", "CH_RUNNING",
                               "SINGULARITY_CONTAINER", "SHIFTER_RUNTIME", "container"})
    if (std::getenv(variable) != nullptr) return true;
  return has_overlay_root(root / "proc/self/mountinfo");
}

std::string missing_right(bool contained) {
  const char* gives = "run as root or with CAP_SYS_ADMIN, or the administrator of this machine";
  if (contained)
    gives =
        "whoever starts this container can give it CAP_SYS_ADMIN (docker run --cap-add SYS_ADMIN, "
        "the securityContext of a pod), or the host's administrator";
  return std::string("this user may not read the GPU's counters: ") + gives +
         " can load the driver with NVreg_RestrictProfilingToAdminUsers=0 (in /etc/modprobe.d), "
         "see https://developer.nvidia.com/ERR_NVGPUCTRPERM";
}

bool dcgm_running(const fs::path& proc) {
  std::error_code error;
  for (const auto& process : fs::directory_iterator(proc, error)) {
    if (!is_number(process.path().filename().string())) continue;
    std::ifstream file(process.path() / "comm");  // the name, cut to 15 characters
    std::string name;
    std::getline(file, name);
    if (name == "nv-hostengine" || name == "dcgm-exporter") return true;
  }
  return false;
}

}  // namespace roofline
