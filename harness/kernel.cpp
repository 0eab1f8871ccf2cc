#include "harness/kernel.h"

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

}  // namespace gpp
