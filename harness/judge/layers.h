// What keeps a submission from all that is not its own. Each layer may lack on a machine: the
// record names those that held, and why the others did not.
#pragma once

#include <string>
#include <vector>

#include "roofline/record/fields.h"

namespace gpp {

/// In the order of layer_names().
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

/// "user namespace", ...
const std::vector<const char*>& layer_names();
std::string name_of(Layer layer);

struct LackingLayer {
  std::string layer;
  std::string reason;
};
void fields(roofline::Fields& field, LackingLayer& lacking);

/// The layers that held while a submission was judged.
struct Layers {
  std::vector<std::string> held;
  std::vector<LackingLayer> lacking;

  bool has(Layer layer) const;
  void hold(Layer layer);
  /// The reason that came first stays.
  void lack(Layer layer, const std::string& reason);
  /// "user namespace, pid namespace; without system calls (why)"
  std::string text() const;
};
void fields(roofline::Fields& field, Layers& layers);

}  // namespace gpp
