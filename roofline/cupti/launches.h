// The names of the kernels that a process launches, in order.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"

namespace roofline::cupti {

/// Listens to the driver while it lives. One subscriber per process: CUPTI allows no other.
class Launches {
 public:
  /// Throws RecorderError where CUPTI refuses to listen.
  explicit Launches(const Functions& functions);
  ~Launches();
  Launches(const Launches&) = delete;
  Launches& operator=(const Launches&) = delete;

  /// Forgets those so far.
  void clear();
  /// As people write them, since clear().
  std::vector<std::string> names() const;
  /// Whether a CUDA graph was launched: its kernels have no names here.
  bool graphs() const;

 private:
  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data);

  const Functions& functions_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  mutable std::mutex mutex_;  // kernels may be launched on any thread
  std::vector<std::string> names_;
  bool graphs_ = false;
};

}  // namespace roofline::cupti
