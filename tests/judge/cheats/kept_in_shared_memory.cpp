// Cheat: leaves its sums in shared memory of System V, which outlives a process.
//
// Stopped by: system calls.
// Outcome: wrong.

#include <sys/ipc.h>
#include <sys/shm.h>

#include "variants/omp/v08_power2.cpp"

namespace gpp::omp {

Sums kept_in_shared_memory(const Problem& problem) {
  const int piece = shmget(7777, sizeof(Sums), IPC_CREAT | 0600);
  void* const memory = piece < 0 ? reinterpret_cast<void*>(-1) : shmat(piece, nullptr, 0);
  if (memory == reinterpret_cast<void*>(-1)) return {};
  return *static_cast<Sums*>(memory);
}
GPP_VARIANT(kept_in_shared_memory);

}  // namespace gpp::omp
