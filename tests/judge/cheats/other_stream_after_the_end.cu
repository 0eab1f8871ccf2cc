// Cheat: returns at once; an unobserved stream finishes the sums for the next call.
//
// Stopped by: draws.
// Outcome: wrong.

#include "queued_sums.cuh"

Sums other_stream_after_the_end(const Problem& problem) {
  static FrequencySums* const finished = mapped_sums();
  static cudaStream_t stream = nullptr;
  if (stream == nullptr) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamSynchronize(stream);  // work of the last call
  const Sums sums = sums_of(problem, finished);
  queue(problem, stream, room_for(problem), finished);
  return sums;
}
