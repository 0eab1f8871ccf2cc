#include "cli/kept_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>

namespace gpp {

std::FILE* keep_standard_output(const char* what) {
  std::fflush(stdout);
  const int ours = dup(STDOUT_FILENO);
  if (ours < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw std::runtime_error(fmt::format("standard output cannot be kept for the {}", what));
  return fdopen(ours, "w");
}

}  // namespace gpp
