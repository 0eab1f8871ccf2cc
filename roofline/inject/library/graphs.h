// The CUDA graphs of a program: the kernels that each of them runs.
#pragma once

#include <cuda.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace roofline::inject {

/// A graph that is ready to be launched.
struct KnownGraph {
  std::string name = {};                  ///< "CUDA graph of 3 kernels: f x2, g"
  std::vector<std::string> kernels = {};  ///< whole names, one for each node that is a kernel
  bool whole = false;  ///< no other kernels run in it, as bodies of conditional nodes would
};

/// May be asked by several threads.
class Graphs {
 public:
  /// The program has made a graph ready.
  void add(CUgraph graph, CUgraphExec ready);
  /// The graph behind it. Of a graph that was never seen only its being one is known.
  KnownGraph of(CUgraphExec ready) const;

 private:
  mutable std::mutex mutex_;
  std::map<CUgraphExec, KnownGraph> graphs_;
};

/// The name of a graph of these kernels, each named as people do.
std::string graph_name(const std::vector<std::string>& kernels);

}  // namespace roofline::inject
