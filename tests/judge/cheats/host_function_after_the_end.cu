// Cheat: a host function, called late by its stream, writes the sums into the earlier answer.
//
// Stopped by: answers taken once.
// Outcome: wrong.

#include "queued_sums.cuh"

struct Late {
  Problem problem;
  FrequencySums* by_frequency;
  Sums* answer;
};

void answer_late(void* late) {
  const Late& all = *static_cast<Late*>(late);
  *all.answer = sums_of(all.problem, all.by_frequency);
}

Sums host_function_after_the_end(const Problem& problem) {
  static cudaStream_t stream = nullptr;
  static Sums kept{};  // sums of the last call, possibly late
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  auto* const late = new Late{problem, mapped_sums(), &kept};
  const Sums sums = kept;
  queue(problem, stream, room_for(problem), late->by_frequency);
  cudaLaunchHostFunc(stream, answer_late, late);
  return sums;
}
