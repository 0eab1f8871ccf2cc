// Cheat: copies memory of the referee, which knows the expected sums.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <sys/uio.h>
#include <unistd.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums reads_the_referee(const Problem& problem) {
  Sums sums{};
  const iovec here{&sums, sizeof(sums)},
      there{reinterpret_cast<void*>(0x200000000000), sizeof(sums)};
  if (process_vm_readv(getppid(), &here, 1, &there, 1, 0) < 0) return {};
  return power2(problem);
}
GPP_VARIANT(reads_the_referee);

}  // namespace gpp::omp
