// What keeps a submission from all that is not its own: layers, and the sandbox of bubblewrap,
// which is several of them: namespaces of its own, in which only system libraries and named files
// are there, read-only, and a small /tmp.
//
// Each layer may lack on a machine: the record names those that held, and why the others did not.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.h"

namespace gpp {

/// Names of layers.
namespace layer {
inline constexpr const char* user_namespace = "user-namespace";
inline constexpr const char* pid_namespace = "pid-namespace";
inline constexpr const char* network_namespace = "network-namespace";
inline constexpr const char* ipc_namespace = "ipc-namespace";
inline constexpr const char* mount_namespace = "mount-namespace";
inline constexpr const char* system_calls = "system-calls";
inline constexpr const char* resources = "resources";
inline constexpr const char* read_only_inputs = "read-only-inputs";
inline constexpr const char* idle_device = "idle-device";
}  // namespace layer

/// The layers that were tried for a submission.
struct Layers {
  std::vector<JudgeLayer> tried;

  bool has(std::string_view layer) const;  ///< it holds
  /// The layer holds, or lacks for this reason. What lacked once does not hold again, and the
  /// reason that came first stays.
  void note(const char* layer, const std::string& lacked = {});
  /// "user-namespace, pid-namespace; without system-calls (why)"
  std::string text() const;
};

/// The files and devices that are visible inside the sandbox.
struct SandboxView {
  std::vector<std::filesystem::path> readable = {};  ///< files and folders
  std::vector<std::filesystem::path> writable = {};
  bool gpu = false;  ///< its devices, and what its driver reads
  std::string only_gpu =
      {};  ///< as CUDA_VISIBLE_DEVICES calls it; empty: all that are visible here
};

class Sandbox {
 public:
  /// Tries which namespaces this machine grants to bubblewrap; none where it is not `wanted`.
  explicit Sandbox(bool wanted = true);

  /// The command in the sandbox; as it is where there is none. It has only the variables that
  /// decide how a program computes: OMP_*, CUDA_VISIBLE_DEVICES, ... With `pid_namespace` false it
  /// shares the machine's numbers of processes.
  std::vector<std::string> wrap(const std::vector<std::string>& command, const SandboxView& view,
                                bool pid_namespace = true) const;
  /// Wraps a compiler's command likewise, with limits of its time, memory and output. It sees
  /// programs, too, and writes to `writable`.
  std::vector<std::string> wrap_compiler(const std::vector<std::string>& command,
                                         SandboxView view) const;

  const Layers& layers() const { return layers_; }

 private:
  Layers layers_;
};

/// The program that runs now, which comes first, and the libraries it has loaded.
std::vector<std::filesystem::path> files_of_this_program();

}  // namespace gpp
