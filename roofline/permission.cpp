#include "roofline/permission.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
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

Container container_here(const fs::path& root) {
  const auto marked = [&root](std::initializer_list<const char*> files,
                              std::initializer_list<const char*> variables) {
    std::error_code error;
    return std::ranges::any_of(files, [&](auto file) { return fs::exists(root / file, error); }) ||
           std::ranges::any_of(variables, [](auto name) { return std::getenv(name) != nullptr; });
  };
  // A Kubernetes container may also have the marks of other kinds.
  if (marked({"run/secrets/kubernetes.io"}, {"KUBERNETES_SERVICE_HOST"}))
    return Container::kubernetes;
  if (marked({".singularity.d"}, {"APPTAINER_CONTAINER", "SINGULARITY_CONTAINER"}))
    return Container::apptainer;
  if (marked({".dockerenv", "run/.containerenv"}, {})) return Container::docker;
  if (marked({"run/systemd/container"}, {"container", "CH_RUNNING", "SHIFTER_RUNTIME"}))
    return Container::other;
  return has_overlay_root(root / "proc/self/mountinfo") ? Container::other : Container::none;
}

std::string missing_right(Container container) {
  std::string gives = "run as root or with CAP_SYS_ADMIN, or the administrator of this machine";
  if (container == Container::docker)
    gives =
        "whoever starts this container can give it CAP_SYS_ADMIN (docker run --cap-add "
        "SYS_ADMIN), or the host's administrator";
  if (container == Container::kubernetes)
    gives =
        "whoever writes the specification of this pod can add SYS_ADMIN to the capabilities of its "
        "securityContext, where the cluster allows that, or the administrator of the nodes";
  if (container == Container::apptainer) gives = "the host's administrator";
  if (container == Container::other)
    gives = "whoever starts this container can give it CAP_SYS_ADMIN, or the host's administrator";
  return "this user may not read the GPU's counters: " + gives +
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
