// The interface of a variant: a function from a problem to its answer.
//
// A variant knows the problem but nothing of timing, checking or counters. CMake makes a kernel's
// catalog from the file names in its folders: variants/cuda/v07_reciprocal.cu holds reciprocal and
// is listed as v7, reciprocal, cuda. examples/stream/cuda/sweep.cu holds a family: a function
// template with one explicit instantiation per variant (sweep_20, sweep_24, ...).
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "runtimes/runtime.h"

namespace gpp {

/// The answer type of a variant that writes its answer into an array of the problem.
struct NoAnswer {};

/// A callable variant. It knows the types of its problem and answer and refuses others. The
/// problem's arrays lie where the variant's runtime placed them.
class Call {
 public:
  Call() = default;  ///< makes an empty call

  /// Calls function(problem, answer). The variant's machine code starts at that function.
  template <class Problem, class Answer, class Function>
  static Call of(Function function, const void* code = nullptr) {
    static_assert(std::is_trivially_copyable_v<Problem> && std::is_trivially_copyable_v<Answer>,
                  "they go to another process as bytes");
    Call call;
    call.code_ = code;
    call.problem_ = &typeid(Problem);
    call.answer_ = &typeid(Answer);
    call.problem_bytes_ = sizeof(Problem);
    call.answer_bytes_ = sizeof(Answer);
    call.clear_padding_ = [](void* problem) { clear_padding(*static_cast<Problem*>(problem)); };
    call.function_ = [function = std::move(function)](const void* problem, void* answer) {
      function(*static_cast<const Problem*>(problem), *static_cast<Answer*>(answer));
    };
    return call;
  }

  /// A call that `load` provides when it is first needed; `load` may throw.
  static Call found_by(std::function<const Call&()> load) {
    Call call;
    call.load_ = std::move(load);
    return call;
  }

  /// A call for the same types as `other`, which treats both as bytes. Padding in the problem is
  /// zeroed if the compiler supports that. Otherwise old bytes there could look like the address of
  /// an array, which another process would replace by its own.
  using Other =
      std::function<void(std::span<const std::byte> problem, std::span<std::byte> answer)>;
  Call done_by(Other other) const;
  /// Calls with the bytes of a problem and of an answer of the right types, aligned for any type.
  void on_bytes(const std::byte* problem, std::byte* answer) const;
  std::size_t problem_bytes() const { return found().problem_bytes_; }
  std::size_t answer_bytes() const { return found().answer_bytes_; }

  /// The start of the variant's machine code; nullptr if unknown.
  const void* code() const { return found().code_; }

  explicit operator bool() const { return function_ != nullptr || load_ != nullptr; }

  /// True if this is the type of the variant's problem.
  template <class Problem>
  bool takes() const {
    const Call& call = found();
    return call.problem_ != nullptr && *call.problem_ == typeid(Problem);
  }

  /// Throws std::logic_error if the variant has other types of problem or answer.
  template <class Problem, class Answer>
  void operator()(const Problem& problem, Answer& answer) const {
    const Call& call = found();
    if (!call.takes<Problem>() || *call.answer_ != typeid(Answer)) call.refuse();
    call.function_(&problem, &answer);
  }
  template <class Problem>
  void operator()(const Problem& problem) const {
    NoAnswer none;
    (*this)(problem, none);
  }

 private:
  const Call& found() const { return load_ == nullptr ? *this : load_().found(); }
  [[noreturn]] void refuse() const;

  template <class Problem>
  static void clear_padding([[maybe_unused]] Problem& problem) {
#if defined(__has_builtin)
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&problem);
#endif
#endif
  }

  const void* code_ = nullptr;
  const std::type_info* problem_ = nullptr;
  const std::type_info* answer_ = nullptr;
  std::size_t problem_bytes_ = 0, answer_bytes_ = 0;
  std::function<void(const void* problem, void* answer)> function_;
  void (*clear_padding_)(void* problem) = nullptr;
  std::function<const Call&()> load_;
};

/// Makes the call of a variant `Answer f(const Problem&)`.
template <class Problem, class Answer>
Call call_of(Answer (*function)(const Problem&)) {
  return Call::of<Problem, Answer>(
      [function](const Problem& problem, Answer& answer) { answer = function(problem); },
      reinterpret_cast<const void*>(function));
}

/// Makes the call of a variant `void f(const Problem&)`.
template <class Problem>
Call call_of(void (*function)(const Problem&)) {
  return Call::of<Problem, NoAnswer>(
      [function](const Problem& problem, NoAnswer& /*answer*/) { function(problem); },
      reinterpret_cast<const void*>(function));
}

/// A variant compiled for one kind of device.
struct Build {
  std::string kind;  ///< kind of device: "host" or "gpu"
  Call call;
  const Runtime* runtime = nullptr;  ///< runs and times it; never destroyed
};

/// A kind of device for which a variant could have been compiled, but was not.
struct NotBuilt {
  std::string kind;    ///< kind of device, as in Build
  std::string reason;  ///< the reason, with a remedy
};

/// One row of a catalog.
struct Variant {
  std::string id;             ///< "v7", or the file's name if it has no number
  std::string step;           ///< "reciprocal"
  std::string model;          ///< "cuda", "omp", "thrust" or "serial"
  std::string source;         ///< path in the repository; empty if the model lacks the step
  std::vector<Build> builds;  ///< empty if this program has none
  std::string reason;         ///< the reason if builds is empty
  std::vector<NotBuilt> not_built = {};  ///< missing builds, if there are others
  /// The cost of one piece of work: the line "// Operations: ..." of its file, without the full
  /// stop; empty without such a line. Its kernel interprets it.
  std::string operations = {};
};

/// Returns 7 for "v7", and 0 for an id without a number.
int number_of(std::string_view id);

/// The name of a variant's file: "v8_power2", or "my_idea" for a variant without a number.
std::string label_of(const Variant& variant);

}  // namespace gpp
