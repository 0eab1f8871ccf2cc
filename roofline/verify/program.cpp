// roofline-known-answers [KERNEL...]: launches these kernels with known counts, or all, each once,
// for a profiler. It is not linked with anything that counts.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "roofline/verify/known_answers.h"

namespace {

using namespace roofline;

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
