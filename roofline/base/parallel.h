// A parallel loop that assigns iterations to cores one by one.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "roofline/base/machine.h"

namespace roofline {

/// Calls body(i) once for each i = 0..count-1, in any order, from several threads. `progress` is
/// called from the calling thread. An exception in a body ends the loop and is rethrown here.
template <class Body>
void parallel_for(int count, const Body& body, const std::function<void(double)>& progress = {}) {
  std::atomic<int> next{0};
  std::atomic<int> running{std::clamp(count, 1, available_cores())};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto work = [&] {
    try {
      for (int i = next++; i < count; i = next++) body(i);
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      failure = std::current_exception();
      next = count;
    }
    --running;
  };
  {
    std::vector<std::jthread> threads;
    for (int core = running; core > 0; --core) threads.emplace_back(work);
    while (progress && running > 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      progress(count == 0 ? 1.0 : static_cast<double>(std::min<int>(next, count)) / count);
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace roofline
