// Listeners to driver callbacks: names of launched kernels, and machine code loaded onto the
// device.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roofline/cupti/api.h"
#include "roofline/record/lines.h"

namespace roofline::cupti {

/// Remembers what the kernels of a module compute in half precision, and whether any of them
/// launches kernels: by the callback that tells of it. `fresh`: it was loaded just now, and is none
/// that was seen before. Never throws.
void see_code(const CUpti_ResourceData& resource, bool fresh);
/// How many of these kernels' counted HFMA2 load constants, by all code seen so far
/// (machine_code/cubin.h).
std::optional<double> constant_loads(const std::vector<std::string>& kernels, double fused);
/// Whether kernels of the module of this kernel launch kernels, by all code that was seen.
bool launches_kernels(const std::string& kernel);

/// Keeps a copy of every loaded cubin, by the CRC that identifies it in CUPTI's records, even after
/// it is unloaded.
class KeptCode {
 public:
  /// Called for a module's callback. `fresh`: not kept before. Never throws.
  void keep(const CUpti_ResourceData& resource, bool fresh);
  /// The cubins so far. They stay in place, but must not be read while another one is added.
  const Cubins& cubins() const { return cubins_; }
  /// Messages about machine code that could not be kept.
  std::vector<std::string> lost() const { return {lost_.begin(), lost_.end()}; }

 private:
  Cubins cubins_;
  std::set<unsigned> kept_;  // CUPTI's numbers of the kept modules
  std::set<std::string> lost_;
};

/// Listens during its lifetime. CUPTI allows one subscription per process.
class Listener {
 public:
  /// To launches, and what their code computes in half precision; or to machine code, which is
  /// kept.
  enum class To { launches, code };
  /// Throws RecorderError if CUPTI refuses.
  explicit Listener(To what);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  struct Launches {
    std::vector<std::string> kernels;  ///< demangled names, in order
    bool graphs = false;               ///< there were CUDA graphs, whose kernels have no names here
  };
  /// The launches since the last call.
  Launches take_launches();
  /// A copy of the code so far.
  KeptCode code() const;

 private:
  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                               const void* data);
  void on_launch(CUpti_CallbackId id, const CUpti_CallbackData& call);

  const To what_;
  CUpti_SubscriberHandle handle_ = nullptr;
  mutable std::mutex mutex_;  // kernels and modules may come on any thread
  Launches launches_;
  KeptCode code_;
};

}  // namespace roofline::cupti
