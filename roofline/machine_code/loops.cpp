#include "roofline/machine_code/loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace roofline {
namespace {

using Blocks = std::vector<std::vector<std::size_t>>;

/// Basic blocks: instructions that run one after the other.
struct Graph {
  std::vector<std::size_t> first;  // instruction of each block, and one behind the last
  Blocks after, before;            // neighbours of each block
};

/// The place of the instruction that a jump leads to; `code.size()` where it leaves the function.
std::size_t target_of(const std::vector<Instruction>& code, const Instruction& jump) {
  const std::uint64_t address = address_of(jump.operands);
  const auto found = std::ranges::lower_bound(code, address, {}, &Instruction::address);
  if (found == code.end() || found->address != address) return code.size();
  return static_cast<std::size_t>(found - code.begin());
}

Graph graph_of(const std::vector<Instruction>& code) {
  std::set<std::size_t> leaders = {0};
  std::vector<Jump> jumps(code.size(), Jump::none);
  std::vector<std::size_t> targets(code.size(), code.size());
  for (std::size_t i = 0; i < code.size(); ++i) {
    jumps[i] = jump_of(code[i].mnemonic, code[i].operands);
    if (jumps[i] == Jump::none) continue;
    if (jumps[i] != Jump::leaves) targets[i] = target_of(code, code[i]);
    leaders.insert(i + 1);
    leaders.insert(targets[i]);
  }
  leaders.insert(code.size());
  Graph graph;
  graph.first.assign(leaders.begin(), leaders.end());
  const std::size_t blocks = graph.first.size() - 1;
  graph.after.resize(blocks);
  graph.before.resize(blocks);
  std::map<std::size_t, std::size_t> block_at;
  for (std::size_t block = 0; block < blocks; ++block) block_at[graph.first[block]] = block;
  const auto connect = [&](std::size_t from, std::size_t instruction) {
    if (instruction >= code.size()) return;
    graph.after[from].push_back(block_at.at(instruction));
    graph.before[block_at.at(instruction)].push_back(from);
  };
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t last = graph.first[block + 1] - 1;
    if (jumps[last] == Jump::none || jumps[last] == Jump::conditional) connect(block, last + 1);
    connect(block, targets[last]);
  }
  return graph;
}

/// Blocks in an order in which each comes before those that only it leads to.
std::vector<std::size_t> reverse_postorder(const Graph& graph) {
  std::vector<std::size_t> order;
  std::vector<std::size_t> next(graph.after.size(), 0);
  std::vector<bool> seen(graph.after.size(), false);
  std::vector<std::size_t> path = {0};
  seen[0] = true;
  while (!path.empty()) {
    const std::size_t block = path.back();
    if (next[block] < graph.after[block].size()) {
      const std::size_t to = graph.after[block][next[block]++];
      if (seen[to]) continue;
      seen[to] = true;
      path.push_back(to);
    } else {
      order.push_back(block);
      path.pop_back();
    }
  }
  std::ranges::reverse(order);
  return order;
}

/// The nearest block that every way to a block passes through (Cooper, Harvey, Kennedy 2001).
std::vector<std::size_t> dominators(const Graph& graph, const std::vector<std::size_t>& order) {
  const std::size_t unknown = graph.after.size();
  std::vector<std::size_t> rank(graph.after.size(), unknown),
      dominator(graph.after.size(), unknown);
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  dominator[0] = 0;
  const auto meet = [&](std::size_t a, std::size_t b) {
    while (a != b) (rank[a] > rank[b] ? a : b) = dominator[rank[a] > rank[b] ? a : b];
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::size_t block : order) {
      if (block == 0) continue;
      std::size_t found = unknown;
      for (const std::size_t from : graph.before[block])
        if (dominator[from] != unknown) found = found == unknown ? from : meet(from, found);
      changed |= found != dominator[block];
      dominator[block] = found;
    }
  }
  return dominator;
}

bool dominates(const std::vector<std::size_t>& dominator, std::size_t above, std::size_t block) {
  while (block != above && block != 0) block = dominator[block];
  return block == above;
}

/// The blocks on ways from the header to the jumps back to it.
std::set<std::size_t> body_of(const Graph& graph, std::size_t header,
                              const std::vector<std::size_t>& jumps_back) {
  std::set<std::size_t> body = {header};
  std::vector<std::size_t> open = jumps_back;
  while (!open.empty()) {
    const std::size_t block = open.back();
    open.pop_back();
    if (!body.insert(block).second) continue;
    open.insert(open.end(), graph.before[block].begin(), graph.before[block].end());
  }
  return body;
}

std::vector<std::set<std::size_t>> natural_loops(const Graph& graph) {
  const std::vector<std::size_t> order = reverse_postorder(graph);
  const std::vector<std::size_t> dominator = dominators(graph, order);
  std::map<std::size_t, std::vector<std::size_t>> jumps_back;  // by header
  for (const std::size_t block : order)
    for (const std::size_t to : graph.after[block])
      if (dominates(dominator, to, block)) jumps_back[to].push_back(block);
  std::vector<std::set<std::size_t>> loops;
  for (const auto& [header, jumps] : jumps_back) loops.push_back(body_of(graph, header, jumps));
  return loops;
}

}  // namespace

LoopNest loops_of(const std::vector<Instruction>& code) {
  LoopNest nest;
  nest.innermost.assign(code.size(), LoopNest::none);
  if (code.empty()) return nest;
  const Graph graph = graph_of(code);
  std::vector<std::set<std::size_t>> loops = natural_loops(graph);
  // The largest first, so that inner loops take their blocks from outer ones.
  std::ranges::stable_sort(loops, [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (std::size_t loop = 0; loop < loops.size(); ++loop)
    for (const std::size_t block : loops[loop])
      for (std::size_t i = graph.first[block]; i < graph.first[block + 1]; ++i)
        nest.innermost[i] = loop;
  nest.loops.resize(loops.size());
  for (std::size_t i = 0; i < code.size(); ++i)
    if (nest.innermost[i] != LoopNest::none) nest.loops[nest.innermost[i]].push_back(i);
  return nest;
}

}  // namespace roofline
