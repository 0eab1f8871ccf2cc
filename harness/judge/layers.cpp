#include "harness/judge/layers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace gpp {

const char* name_of(Layer layer) {
  constexpr std::array<const char*, layer_count> names = {
      "user-namespace", "pid-namespace", "network-namespace", "ipc-namespace", "mount-namespace",
      "system-calls",   "resources",     "read-only-inputs",  "idle-device"};
  return names.at(static_cast<std::size_t>(layer));
}

bool Layers::has(Layer layer) const {
  const auto found = std::ranges::find(tried, name_of(layer), &JudgeLayer::name);
  return found != tried.end() && found->lacked.empty();
}

bool Layers::all_hold() const {
  return std::ranges::all_of(tried, [](const JudgeLayer& one) { return one.lacked.empty(); });
}

void Layers::hold(Layer layer) {
  if (std::ranges::find(tried, name_of(layer), &JudgeLayer::name) == tried.end())
    tried.push_back({name_of(layer), ""});
}

void Layers::lack(Layer layer, const std::string& reason) {
  hold(layer);
  const auto found = std::ranges::find(tried, name_of(layer), &JudgeLayer::name);
  if (found->lacked.empty()) found->lacked = reason;
}

void Layers::forget(Layer layer) {
  std::erase_if(tried, [&](const JudgeLayer& one) { return one.name == name_of(layer); });
}

std::string Layers::text() const {
  std::vector<std::string> held, lost;
  for (const JudgeLayer& one : tried)
    if (one.lacked.empty())
      held.push_back(one.name);
    else
      lost.push_back(fmt::format("{} ({})", one.name, one.lacked));
  const std::string text = held.empty() ? "none" : fmt::format("{}", fmt::join(held, ", "));
  return lost.empty() ? text : fmt::format("{}; without {}", text, fmt::join(lost, ", "));
}

}  // namespace gpp
