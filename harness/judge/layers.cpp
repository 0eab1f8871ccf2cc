#include "harness/judge/layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gpp {

const std::vector<const char*>& layer_names() {
  static const std::vector<const char*> names = {
      "user namespace", "pid namespace", "network namespace", "ipc namespace", "mount namespace",
      "system calls",   "resources",     "read-only inputs",  "idle device"};
  return names;
}

std::string name_of(Layer layer) { return layer_names().at(static_cast<std::size_t>(layer)); }

void fields(roofline::Fields& field, LackingLayer& lacking) {
  field("layer", lacking.layer, roofline::Choice{layer_names()});
  field("reason", lacking.reason, roofline::any_text);
}

void fields(roofline::Fields& field, Layers& layers) {
  field("held", layers.held, roofline::Choice{layer_names()}, "what kept it in its place");
  field("lacking", layers.lacking, "what could not, and why: such a result has no rank");
}

bool Layers::has(Layer layer) const {
  return std::ranges::find(held, name_of(layer)) != held.end();
}

void Layers::hold(Layer layer) {
  if (!has(layer)) held.push_back(name_of(layer));
}

void Layers::lack(Layer layer, const std::string& reason) {
  const std::string name = name_of(layer);
  std::erase(held, name);
  if (std::ranges::find(lacking, name, &LackingLayer::layer) == lacking.end())
    lacking.push_back({name, reason});
}

std::string Layers::text() const {
  std::vector<std::string> lost;
  for (const LackingLayer& one : lacking)
    lost.push_back(fmt::format("{} ({})", one.layer, one.reason));
  const std::string text = held.empty() ? "none" : fmt::format("{}", fmt::join(held, ", "));
  return lost.empty() ? text : fmt::format("{}; without {}", text, fmt::join(lost, ", "));
}

}  // namespace gpp
