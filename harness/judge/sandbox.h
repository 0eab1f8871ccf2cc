// Command lines in a sandbox of bubblewrap: namespaces of their own, in which only system
// libraries and named files are there, read-only, and a small /tmp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/judge/layers.h"

namespace gpp {

/// The files and devices that are visible inside the sandbox.
struct SandboxView {
  std::vector<std::filesystem::path> readable = {};  ///< files and folders
  std::vector<std::filesystem::path> writable = {};
  bool programs = false;  ///< those of /usr/bin, too: for a compiler
  bool gpu = false;       ///< its devices, and what its driver reads
};

class Sandbox {
 public:
  /// Tries which namespaces this machine grants to bubblewrap. Layers that `allowed` does not hold
  /// are not tried, for tests; null: all.
  explicit Sandbox(const Layers* allowed = nullptr);

  /// The command in the sandbox; as it is where there is none. With `pid_namespace` false it shares
  /// the machine's numbers of processes.
  std::vector<std::string> wrap(const std::vector<std::string>& command, const SandboxView& view,
                                bool pid_namespace = true) const;
  /// Wraps a compiler's command likewise, with limits of its time, memory and output. It writes to
  /// `writable`.
  std::vector<std::string> wrap_compiler(const std::vector<std::string>& command,
                                         const SandboxView& view) const;

  const Layers& layers() const { return layers_; }

 private:
  bool has(Layer layer) const { return layers_.has(layer); }

  Layers layers_;
};

/// Only the variables that decide how a program computes: OMP_*, CUDA_VISIBLE_DEVICES, ...
std::vector<std::string> clean_environment();

/// The program that runs now, and the libraries it has loaded.
std::vector<std::filesystem::path> files_of_this_program();

/// Where it lies.
std::filesystem::path path_of_this_program();

}  // namespace gpp
