// Listeners to driver callbacks: names of launched kernels, and machine code loaded onto the
// device.
#pragma once

#include <initializer_list>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roofline/cupti/api.h"
#include "roofline/record/lines.h"

namespace roofline::cupti {

/// A subscription to events of the driver. CUPTI allows one per process. It must be the owner's
/// last member, so that no call comes before the others exist or after they are gone.
class Subscription {
 public:
  struct Event {
    CUpti_CallbackDomain domain;
    CUpti_CallbackId id;
  };
  /// Throws RecorderError if CUPTI refuses. `self` is passed to the function.
  Subscription(CUpti_CallbackFunc function, void* self, std::initializer_list<Event> events);
  ~Subscription();
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  CUpti_SubscriberHandle handle_ = nullptr;
};

/// Remembers what the kernels of a module compute in half precision, and whether any of them
/// launches kernels: by the callback that tells of it. `fresh`: it was loaded just now, and is none
/// that was seen before.
void see_code(const CUpti_ResourceData& resource, bool fresh);
/// How many of these kernels' counted HFMA2 load constants, by all code seen so far
/// (machine_code/half_precision.h).
std::optional<double> constant_loads(const std::vector<std::string>& kernels, double fused);
/// Whether kernels of the module of this kernel launch kernels, by all code that was seen.
bool launches_kernels(const std::string& kernel);

/// Records the names of launched kernels in order, and analyses loaded code.
class Launches {
 public:
  /// Throws RecorderError if CUPTI refuses the subscription.
  Launches();

  /// Forgets earlier launches.
  void clear();
  /// The demangled names of the kernels launched since clear().
  std::vector<std::string> names() const;
  /// True if a CUDA graph was launched; its kernels have no names here.
  bool graphs() const;

 private:
  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data);

  mutable std::mutex mutex_;  // kernels may be launched on any thread
  std::vector<std::string> names_;
  bool graphs_ = false;
  Subscription subscription_;
};

/// Keeps a copy of every loaded cubin, by the CRC that identifies it in CUPTI's records, even after
/// it is unloaded.
class KeptCode {
 public:
  /// Called for a module's callback. `once` means that it may have been kept before. Never throws.
  void keep(const CUpti_ResourceData& resource, bool once);
  /// The cubins so far. They stay in place, but must not be read while another one is added.
  const Cubins& cubins() const { return cubins_; }
  /// Messages about machine code that could not be kept.
  std::vector<std::string> lost() const { return {lost_.begin(), lost_.end()}; }

 private:
  Cubins cubins_;
  std::size_t bytes_ = 0;
  std::set<unsigned> kept_;  // CUPTI's numbers of the kept modules
  std::set<std::string> lost_;
};

/// Keeps every loaded cubin (KeptCode), with its own subscription.
class Modules {
 public:
  /// Throws RecorderError if CUPTI refuses the subscription.
  Modules();

  Cubins cubins() const;
  std::vector<std::string> lost() const;

 private:
  static void CUPTIAPI on_resource(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data);

  mutable std::mutex mutex_;  // modules load on whichever thread first needs them
  KeptCode code_;
  Subscription subscription_;
};

}  // namespace roofline::cupti
