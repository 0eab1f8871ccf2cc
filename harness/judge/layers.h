// What keeps a submission from all that is not its own. Each layer may lack on a machine: the
// record names those that held, and why the others did not.
#pragma once

#include <string>
#include <vector>

#include "harness/record/judge.h"

namespace gpp {

enum class Layer {
  user_namespace,
  pid_namespace,
  network_namespace,
  ipc_namespace,
  mount_namespace,
  system_calls,
  resources,
  read_only_inputs,
  idle_device
};
inline constexpr int layer_count = 9;

/// "user-namespace", ...
const char* name_of(Layer layer);

/// The layers that were tried for a submission.
struct Layers {
  std::vector<JudgeLayer> tried;

  bool has(Layer layer) const;  ///< it holds
  bool all_hold() const;
  /// A layer that lacked once does not hold again.
  void hold(Layer layer);
  /// The reason that came first stays.
  void lack(Layer layer, const std::string& reason);
  /// It is not needed.
  void forget(Layer layer);
  /// "user-namespace, pid-namespace; without system-calls (why)"
  std::string text() const;
};

}  // namespace gpp
