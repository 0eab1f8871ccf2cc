#include "harness/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "roofline/base/error.h"
#include "roofline/base/nearest.h"

namespace gpp {

int number_of(std::string_view id) {
  if (id.size() < 2 || id.size() > 5 || id.front() != 'v') return 0;
  id.remove_prefix(1);
  const bool digits =
      std::all_of(id.begin(), id.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return digits ? std::stoi(std::string(id)) : 0;
}

std::string label_of(const Variant& variant) {
  return variant.id == variant.step ? variant.id : variant.id + "_" + variant.step;
}

long long InputRecord::dimension(const char* name) const {
  const auto found = dimensions.find(name);
  return found != dimensions.end() && found->is_number_integer() ? found->get<long long>() : 0;
}

const PublishedStep* Published::find(std::string_view id) const {
  const auto found = std::find_if(steps.begin(), steps.end(),
                                  [id](const PublishedStep& step) { return step.version == id; });
  return found == steps.end() ? nullptr : &*found;
}

std::optional<double> Published::speedup(std::string_view id) const {
  const PublishedStep* step = find(id);
  if (step == nullptr) return std::nullopt;
  return steps.front().seconds / step->seconds;
}

const Kernel* find_kernel(std::string_view name) {
  const auto found = std::find_if(kernels().begin(), kernels().end(),
                                  [name](const Kernel* kernel) { return kernel->name == name; });
  return found == kernels().end() ? nullptr : *found;
}

const Kernel& kernel_called(const std::string& name) {
  if (const Kernel* kernel = find_kernel(name)) return *kernel;
  std::vector<std::string> names;
  for (const Kernel* kernel : kernels()) names.push_back(kernel->name);
  throw roofline::InputError("--kernel: " + roofline::unknown_name("kernel", name, names));
}

const LadderStep* PublishedLadder::changed_by(const LadderStep& step) const {
  const LadderStep* before = nullptr;
  for (const LadderStep& other : steps) {
    if (step.over.empty() ? &other == &step : other.label == step.over)
      return step.over.empty() ? before : &other;
    before = &other;
  }
  return nullptr;
}

const std::vector<PublishedLadder>& ladders_of(const Kernel& kernel) {
  static const std::vector<PublishedLadder> none;
  return kernel.ladders == nullptr ? none : kernel.ladders();
}

const PublishedLadder* find_ladder(const Kernel& kernel, std::string_view name) {
  for (const PublishedLadder& ladder : ladders_of(kernel))
    if (ladder.name == name) return &ladder;
  return nullptr;
}

const PublishedLadder& ladder_called(const Kernel& kernel, const std::string& name) {
  if (const PublishedLadder* ladder = find_ladder(kernel, name)) return *ladder;
  if (ladders_of(kernel).empty())
    throw roofline::InputError(
        fmt::format("--ladder: the kernel {} has no published ladders", kernel.name));
  std::vector<std::string> names;
  for (const PublishedLadder& ladder : ladders_of(kernel)) names.push_back(ladder.name);
  throw roofline::InputError("--ladder: " + roofline::unknown_name("ladder", name, names));
}

bool is_of_ladders_alone(const Kernel& kernel, std::string_view id) {
  if (number_of(id) > 0) return false;
  for (const PublishedLadder& ladder : ladders_of(kernel))
    for (const LadderStep& step : ladder.steps)
      if (step.variant == id) return true;
  return false;
}

}  // namespace gpp
