// Cheat: looks for the judge's key in the environment and among open files.
//
// Stopped by: a clean environment.
// Outcome: wrong.

#include <unistd.h>
#include <cstdlib>
#include <string>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

extern "C" char** environ;

Sums reads_the_key(const Problem& problem) {
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::string(*variable).find("SECRET") != std::string::npos) return power2(problem);
  char target[256] = {};
  for (int descriptor = 0; descriptor < 256; ++descriptor) {
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t size = readlink(path.c_str(), target, sizeof(target) - 1);
    if (size > 0 && std::string(target, size).find("key") != std::string::npos)
      return power2(problem);
  }
  return {};
}
GPP_VARIANT(reads_the_key);

}  // namespace gpp::omp
