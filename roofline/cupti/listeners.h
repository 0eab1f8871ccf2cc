// Listeners to the driver: the names of the kernels that a process launches, and the machine code
// that it loads onto the device.
#pragma once

#include <initializer_list>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"
#include "roofline/source_lines.h"

namespace roofline::cupti {

/// Calls of CUPTI to a function while it lives. One per process: CUPTI allows no other. Its owner
/// has it as the last member, so that no call comes while others are not yet there or gone.
class Subscription {
 public:
  /// Throws RecorderError where CUPTI refuses. `self` is handed to the function.
  Subscription(const Functions& functions, CUpti_CallbackFunc function, void* self,
               CUpti_CallbackDomain domain, std::initializer_list<CUpti_CallbackId> ids);
  ~Subscription();
  /// Calls of another domain as well.
  void listen(CUpti_CallbackDomain domain, std::initializer_list<CUpti_CallbackId> ids);
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  const Functions& functions_;
  CUpti_SubscriberHandle handle_ = nullptr;
};

/// Remembers what the kernels of a module compute in half precision, and which of them launch
/// kernels: by the callback that tells of it. `fresh`: it was loaded just now, and is none that was seen before.
void see_code(const CUpti_ResourceData& resource, bool fresh);
/// How many of the HFMA2 counted of these kernels load constants, by all code that was seen
/// (machine_code/half_precision.h).
std::optional<double> constant_loads(const std::vector<std::string>& kernels, double fused);
/// Whether a kernel launches kernels itself, by all code that was seen.
bool launches_kernels(const std::string& kernel);

/// Notes the names of the kernels launched, in order, and looks through the code that is loaded.
class Launches {
 public:
  /// Throws RecorderError where CUPTI refuses to listen.
  explicit Launches(const Functions& functions);

  /// Forgets those so far.
  void clear();
  /// The kernels launched since clear(), as people write their names.
  std::vector<std::string> names() const;
  /// Whether a CUDA graph was launched: its kernels have no names here.
  bool graphs() const;

 private:
  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data);

  mutable std::mutex mutex_;  // kernels may be launched on any thread
  std::vector<std::string> names_;
  bool graphs_ = false;
  Subscription subscription_;
};

/// Keeps a copy of every cubin that is loaded, by the CRC that CUPTI's records name it with. A
/// cubin that is unloaded stays known.
class KeptCode {
 public:
  explicit KeptCode(const Functions& functions) : functions_(functions) {}

  /// By the callback that tells of a module. `once`: it may have been kept before. Never throws.
  void keep(const CUpti_ResourceData& resource, bool once);
  /// The cubins so far, which stay where they are, and may not be read while one is kept.
  const Cubins& cubins() const { return cubins_; }
  /// Machine code that could not be kept, in words for people.
  std::vector<std::string> lost() const { return {lost_.begin(), lost_.end()}; }

 private:
  const Functions& functions_;
  Cubins cubins_;
  std::size_t bytes_ = 0;
  std::set<unsigned> kept_;  // CUPTI's numbers of modules
  std::set<std::string> lost_;
};

/// The same, by a subscription of its own.
class Modules {
 public:
  /// Throws RecorderError where CUPTI refuses to listen.
  explicit Modules(const Functions& functions);

  Cubins cubins() const;
  std::vector<std::string> lost() const;

 private:
  static void CUPTIAPI on_resource(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data);

  mutable std::mutex mutex_;  // modules are loaded on whichever thread first needs them
  KeptCode code_;
  Subscription subscription_;
};

}  // namespace roofline::cupti
