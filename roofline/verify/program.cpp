// roofline-known-answers: launches each kernel with known counts once, for a profiler. It is not
// linked with anything that counts.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/verify/known_answers.h"

namespace {

using namespace roofline;

constexpr const char* help =
    "roofline-known-answers [KERNEL...]: launches kernels whose counts are known, all or these,\n"
    "each once, on the first GPU. Run it under a profiler, then `roofline verify --ncu FILE`.\n"
    "Kernels:\n";

#ifdef ROOFLINE_NO_KERNELS
void run(const std::string&) {
  throw std::runtime_error(
      "no kernels, because this program was built without CUDA: install the CUDA Toolkit 12.6 or "
      "later and build again");
}
#else
/// Prints what it did, so that omitted kernels are not taken for uncounted ones.
void run(const std::string& kernel) {
  const std::string why = known::cannot_run(kernel);
  if (why.empty()) known::prepared(kernel)();
  std::printf("%s: %s\n", kernel.c_str(), why.empty() ? "launched" : why.c_str());
}
#endif

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  if (!names.empty() && names.front() == "--help") {
    std::printf("%s", help);
    for (const known::Kernel& kernel : known::kernels())
      std::printf("  %s: %s\n", kernel.name.c_str(), kernel.does.c_str());
    return 0;
  }
  if (names.empty())
    for (const known::Kernel& kernel : known::kernels()) names.push_back(kernel.name);
  try {
    for (const std::string& name : names) run(name);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "roofline-known-answers: %s\n", error.what());
    return 1;
  }
  return 0;
}
