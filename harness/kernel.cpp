#include "harness/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "harness/record/record.h"
#include "roofline/base/json_place.h"
#include "roofline/base/machine.h"
#include "roofline/base/text.h"

namespace gpp {

Call::Call(const AnyFunction& variant)
    : code_(reinterpret_cast<const void*>(variant.function)),
      types_(variant.types),
      function_([call = variant.call, function = variant.function](
                    const void* problem, void* answer) { call(function, problem, answer); }) {}

Call Call::done_by(Other other) const {
  Call call = *this;
  call.function_ = [other = std::move(other), types = types_](const void* problem, void* answer) {
    other({static_cast<const std::byte*>(problem), types.problem_bytes},
          {static_cast<std::byte*>(answer), types.answer_bytes});
  };
  return call;
}

void Call::relocate(std::byte* problem, const Own& own) const {
  if (types_.relocate == nullptr)
    throw std::logic_error(types() + ": the problem's type lists no arrays; define each_array");
  const auto moved = [](const void* context, const void* address) {
    return (*static_cast<const Own*>(context))(address);
  };
  types_.relocate(problem, {moved, &own});
}

std::string Call::types() const {
  return types_.problem == nullptr
             ? ""
             : fmt::format("{} {}", types_.problem->name(), types_.answer->name());
}

void Call::refuse() const {
  throw std::logic_error(types_.problem == nullptr
                             ? "there is no variant to be called"
                             : "a variant was called with a problem or for an answer that are not "
                               "of its types");
}

int number_of(std::string_view id) {
  if (!id.starts_with('v') || id.size() > 5) return 0;
  return static_cast<int>(roofline::whole_number(id.substr(1)).value_or(0));
}

std::string label_of(const Variant& variant) {
  return variant.id == variant.step ? variant.id : variant.id + "_" + variant.step;
}

long long InputRecord::dimension(const char* name) const {
  const auto value = dimensions.find(name);
  return value != dimensions.end() && value->is_number_integer() ? value->get<long long>() : 0;
}

constexpr std::size_t first_kept = 4;

JsonObject first_numbers(std::span<const double> numbers) {
  Json first = Json::array();
  for (const double number : numbers.first(std::min(first_kept, numbers.size())))
    first.push_back(roofline::json_number(number));
  return Json({{"first", first}});
}

JsonObject read_first_numbers(const roofline::JsonPlace& check) {
  if (!check.has("first")) return {};
  Json first = Json::array();
  for (const roofline::JsonPlace& value : check["first"].elements(first_kept))
    first.push_back(roofline::json_number(value.real_or_null(roofline::bounds::finite)));
  return Json({{"first", first}});
}

const PublishedStep* Published::find(std::string_view id) const {
  const auto step = std::ranges::find(steps, id, &PublishedStep::version);
  return step == steps.end() ? nullptr : &*step;
}

std::optional<double> Published::speedup(std::string_view id) const {
  const PublishedStep* step = find(id);
  if (step == nullptr) return std::nullopt;
  return steps.front().seconds / step->seconds;
}

namespace {

std::vector<const Kernel*>& known() {
  static std::vector<const Kernel*> kernels;
  return kernels;
}

}  // namespace

const std::vector<const Kernel*>& kernels() { return known(); }

void know(const Kernel& kernel) { known().push_back(&kernel); }

const std::string& program_name() { return kernels().front()->name; }

const Kernel* find_kernel(std::string_view name) {
  for (const Kernel* kernel : kernels())
    if (kernel->name == name) return kernel;
  return nullptr;
}

std::string shown_elsewhere(std::string_view kernel) {
  return fmt::format(
      "'{0}' is not the kernel of {1}; each kernel has a program of its name: {0} report",
      roofline::visible(kernel), program_name());
}

const Kernel& kernel_called(std::string_view name) {
  if (const Kernel* kernel = find_kernel(name)) return *kernel;
  throw roofline::InputError("kernel: " + shown_elsewhere(name));
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

std::string title_and_source(const PublishedLadder& ladder) {
  return ladder.published() ? fmt::format("{} ({})", ladder.title, ladder.source) : ladder.title;
}

const std::vector<PublishedLadder>& ladders_of(const Kernel& kernel) {
  static const std::vector<PublishedLadder> none;
  return kernel.ladders == nullptr ? none : kernel.ladders();
}

const PublishedLadder* find_ladder(const Kernel& kernel, std::string_view name) {
  const std::vector<PublishedLadder>& all = ladders_of(kernel);
  const auto ladder = std::ranges::find(all, name, &PublishedLadder::name);
  return ladder == all.end() ? nullptr : &*ladder;
}

const PublishedLadder& ladder_called(const Kernel& kernel, std::string_view name) {
  if (const PublishedLadder* ladder = find_ladder(kernel, name)) return *ladder;
  std::vector<std::string> names;
  for (const PublishedLadder& ladder : ladders_of(kernel)) names.push_back(ladder.name);
  throw roofline::InputError("--ladder: " + roofline::unknown_name("ladder", name, names));
}

bool is_of_ladders_alone(const Kernel& kernel, std::string_view id) {
  return number_of(id) == 0 && std::ranges::any_of(ladders_of(kernel), [id](const auto& ladder) {
           return std::ranges::find(ladder.steps, id, &LadderStep::variant) != ladder.steps.end();
         });
}

}  // namespace gpp
