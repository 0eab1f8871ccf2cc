#include "roofline/inject/library/graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "roofline/base/text.h"
#include "roofline/cuda_driver.h"
#include "roofline/graph_name.h"
#include "roofline/inject/library/watcher.h"

namespace roofline::inject {
namespace {

constexpr std::size_t most_kept = 100'000, most_nodes = 100'000;
constexpr int deepest = 16;                               // graphs within graphs
constexpr std::size_t most_named = 8, longest_name = 60;  // in the name of a graph

/// The functions of the driver that tell of graphs; null where it has none.
struct GraphDriver {
  decltype(&::cuGraphGetNodes) nodes = nullptr;
  decltype(&::cuGraphNodeGetType) type = nullptr;
  decltype(&::cuGraphKernelNodeGetParams) parameters = nullptr;
  decltype(&::cuGraphChildGraphNodeGetGraph) child = nullptr;
  decltype(&::cuFuncGetName) name = nullptr;
  decltype(&::cuKernelGetName) kernel_name = nullptr;
  bool there = false;
};

const GraphDriver& graph_driver() {
  static const GraphDriver driver = [] {
    GraphDriver found;
    found.there = find_cuda_driver_function("cuGraphGetNodes", found.nodes) &&
                  find_cuda_driver_function("cuGraphNodeGetType", found.type) &&
                  find_cuda_driver_function("cuGraphKernelNodeGetParams_v2", found.parameters) &&
                  find_cuda_driver_function("cuGraphChildGraphNodeGetGraph", found.child) &&
                  find_cuda_driver_function("cuFuncGetName", found.name);
    find_cuda_driver_function("cuKernelGetName", found.kernel_name);
    return found;
  }();
  return driver;
}

std::string name_of_node(CUgraphNode node) {
  const GraphDriver& driver = graph_driver();
  CUDA_KERNEL_NODE_PARAMS parameters{};
  const char* name = nullptr;
  if (driver.parameters(node, &parameters) != CUDA_SUCCESS) return kernel_name(nullptr);
  if (parameters.func != nullptr)
    driver.name(&name, parameters.func);
  else if (parameters.kern != nullptr && driver.kernel_name != nullptr)
    driver.kernel_name(&name, parameters.kern);
  return kernel_name(name);
}

/// Adds the kernels of a graph. False where it may run others as well.
bool add_nodes(CUgraph graph, int depth, std::vector<std::string>& kernels) {
  const GraphDriver& driver = graph_driver();
  std::size_t count = 0;
  if (depth > deepest || driver.nodes(graph, nullptr, &count) != CUDA_SUCCESS ||
      count > most_nodes - kernels.size())
    return false;
  std::vector<CUgraphNode> nodes(count);
  if (count > 0 && driver.nodes(graph, nodes.data(), &count) != CUDA_SUCCESS) return false;
  bool whole = true;
  for (CUgraphNode node : nodes) {
    CUgraphNodeType type{};
    CUgraph child = nullptr;
    if (driver.type(node, &type) != CUDA_SUCCESS)
      whole = false;
    else if (type == CU_GRAPH_NODE_TYPE_KERNEL)
      kernels.push_back(name_of_node(node));
    else if (type == CU_GRAPH_NODE_TYPE_GRAPH)
      whole = driver.child(node, &child) == CUDA_SUCCESS && add_nodes(child, depth + 1, kernels) &&
              whole;
    else if (type > CU_GRAPH_NODE_TYPE_MEM_FREE)
      whole = false;  // conditional nodes, and what later drivers know
  }
  return whole;
}

/// "f" of "void f(float*)".
std::string plain(std::string name) {
  constexpr std::string_view unnamed = "(anonymous namespace)::", nothing = "void ";
  for (std::size_t at; (at = name.find(unnamed)) != name.npos;) name.erase(at, unnamed.size());
  if (name.starts_with(nothing)) name.erase(0, nothing.size());
  return shortened(name.substr(0, name.find('(')), longest_name);
}

}  // namespace

std::string graph_name(const std::vector<std::string>& kernels) {
  std::vector<std::pair<std::string, int>> counts;
  for (const std::string& kernel : kernels) {
    const std::string name = plain(kernel);
    const auto known = std::ranges::find(counts, name, &std::pair<std::string, int>::first);
    if (known != counts.end())
      ++known->second;
    else
      counts.emplace_back(name, 1);
  }
  std::string text =
      fmt::format("{}{} kernel{}", graph_prefix, kernels.size(), kernels.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(counts.size(), most_named); ++i) {
    text += (i == 0 ? ": " : ", ") + counts[i].first;
    if (counts[i].second > 1) text += fmt::format(" x{}", counts[i].second);
  }
  return counts.size() > most_named ? text + ", ..." : text;
}

void Graphs::add(CUgraph graph, CUgraphExec ready) {
  KnownGraph known;
  if (graph == nullptr || ready == nullptr || !graph_driver().there) return;
  known.whole = add_nodes(graph, 0, known.kernels);
  known.name = graph_name(known.kernels);
  const std::scoped_lock lock(mutex_);
  if (graphs_.size() >= most_kept) graphs_.clear();
  graphs_[ready] = std::move(known);
}

KnownGraph Graphs::of(CUgraphExec ready) const {
  const std::scoped_lock lock(mutex_);
  const auto known = graphs_.find(ready);
  return known == graphs_.end() ? KnownGraph{std::string(graph_prefix) + "kernels", {}, false}
                                : known->second;
}

}  // namespace roofline::inject
