// Cheat: looks for other teams' submissions and for references, for the processor's settings, and
// for the judge's key. It names the first that it finds; its own source lies beside theirs.
//
// Stopped by: mount namespace.
// Outcome: wrong.

#include <fcntl.h>
#include <unistd.h>
#include <initializer_list>
#include <stdexcept>
#include <string>

Sums looks_around(const Problem& /*problem*/) {
  for (const char* path : {"/home", "/tmp/submissions", "/var/tmp", "/root/.cache/gpp/references",
                           "/etc/passwd", "/root/.ssh", __FILE__})
    if (access(path, F_OK) == 0) throw std::runtime_error(path);
  const char* const governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
  if (open(governor, O_WRONLY) >= 0) throw std::runtime_error(governor);
  if (access("/proc/1/exe", F_OK) == 0 && getpid() != 1)
    throw std::runtime_error("other processes");
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::string(*variable).find("SECRET") != std::string::npos)
      throw std::runtime_error(*variable);
  char target[256] = {};
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t size = readlink(path.c_str(), target, sizeof(target) - 1);
    if (size > 0 && std::string(target, size).find("key") != std::string::npos)
      throw std::runtime_error(target);
  }
  return {};
}
