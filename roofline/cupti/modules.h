// The machine code that a process loads onto the device.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "roofline/cupti/functions.h"
#include "roofline/source_lines.h"

namespace roofline::cupti {

/// Keeps a copy of every cubin that is loaded while this lives, by the CRC that CUPTI's records
/// name it with. What is unloaded stays known. One subscriber per process: CUPTI allows no other.
class Modules {
 public:
  /// Throws RecorderError where CUPTI refuses to listen.
  explicit Modules(const Functions& functions);
  ~Modules();
  Modules(const Modules&) = delete;
  Modules& operator=(const Modules&) = delete;

  Cubins cubins() const;
  /// What could not be kept, in words for people.
  std::vector<std::string> lost() const;

 private:
  static void CUPTIAPI on_resource(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                   const void* data);
  /// `once`: the module may have been kept before.
  void keep(const CUpti_ModuleResourceData& module, bool once);

  const Functions& functions_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  mutable std::mutex mutex_;  // modules are loaded on whichever thread first needs them
  Cubins cubins_;
  std::set<unsigned> kept_;  // CUPTI's numbers of modules
  std::set<std::string> lost_;
};

}  // namespace roofline::cupti
