// The contract of a variant: a function from a problem to its answer.
//
// It knows the problem and nothing of timing, checking or counters. The catalog of a kernel is made
// by CMake from the names of the files in its folders: variants/cuda/v07_reciprocal.cu holds
// reciprocal and is listed as v7, reciprocal, cuda. examples/stream/cuda/sweep.cu holds a family: a
// function template, each explicit instantiation of which is a variant (sweep_20, sweep_24, ...).
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

/// The answer of a variant that leaves it in an array of its problem.
struct NoAnswer {};

/// Puts own(address) in the place of each array's address. A problem's type is moved by it that
/// has, beside it, a function template each_array(problem, visit), which calls visit(data...) once
/// or several times with the members that point to arrays.
class Relocation {
 public:
  using Own = std::function<void*(const void* address)>;

  explicit Relocation(const Own& own) : own_(own) {}
  template <class... T>
  void operator()(T*&... arrays) const {
    ((arrays = static_cast<T*>(own_(arrays))), ...);
  }

 private:
  const Own& own_;
};

/// A variant, ready to be called. It knows the types of its problem and of its answer, and refuses
/// others. Arrays of the problem lie where the variant's runtime placed them.
class Call {
 public:
  Call() = default;  ///< nothing to be called

  /// Calls function(problem, answer), whose machine code begins there.
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
    if constexpr (requires(Problem & all, const Relocation& visit) { each_array(all, visit); })
      call.relocate_ = [](void* problem, const Relocation& visit) {
        each_array(*static_cast<Problem*>(problem), visit);
      };
    call.function_ = [function = std::move(function)](const void* problem, void* answer) {
      function(*static_cast<const Problem*>(problem), *static_cast<Answer*>(answer));
    };
    return call;
  }

  /// The call that `load` finds when it is first needed; `load` may throw.
  static Call found_by(std::function<const Call&()> load) {
    Call call;
    call.load_ = std::move(load);
    return call;
  }

  /// A call of the same types that `other` does. Both are bytes to it. Those of the problem that no
  /// member has are zeros where the compiler can do that: else what lay there before could pass for
  /// the address of an array, which another process replaces by its own.
  using Other =
      std::function<void(std::span<const std::byte> problem, std::span<std::byte> answer)>;
  Call done_by(Other other) const;
  /// Calls with the bytes of a problem and of an answer of its types, each aligned as any type is.
  void on_bytes(const std::byte* problem, std::byte* answer) const;
  /// Puts own addresses in the place of those of the problem's arrays. Throws std::logic_error
  /// where the problem's type does not list them (Relocation).
  void relocate(std::byte* problem, const Relocation::Own& own) const;
  /// Names the types of the problem and of the answer; empty where there is no variant.
  std::string types() const;
  std::size_t problem_bytes() const { return found().problem_bytes_; }
  std::size_t answer_bytes() const { return found().answer_bytes_; }

  /// Where the variant's machine code begins; nullptr where nobody knows.
  const void* code() const { return found().code_; }

  explicit operator bool() const { return function_ != nullptr || load_ != nullptr; }

  /// Whether this is the type of the variant's problem.
  template <class Problem>
  bool takes() const {
    const Call& call = found();
    return call.problem_ != nullptr && *call.problem_ == typeid(Problem);
  }

  /// Throws std::logic_error where the variant takes or gives another type.
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
  void (*relocate_)(void* problem, const Relocation& visit) = nullptr;
  std::function<const Call&()> load_;
};

/// The call of a variant `Answer f(const Problem&)`.
template <class Problem, class Answer>
Call call_of(Answer (*function)(const Problem&)) {
  return Call::of<Problem, Answer>(
      [function](const Problem& problem, Answer& answer) { answer = function(problem); },
      reinterpret_cast<const void*>(function));
}

/// The call of a variant `void f(const Problem&)`.
template <class Problem>
Call call_of(void (*function)(const Problem&)) {
  return Call::of<Problem, NoAnswer>(
      [function](const Problem& problem, NoAnswer& /*answer*/) { function(problem); },
      reinterpret_cast<const void*>(function));
}

/// A variant compiled for one kind of device.
struct Build {
  std::string kind;  ///< of device: "host" or "gpu"
  Call call;
  const Runtime* runtime = nullptr;  ///< runs and times it; lives forever
};

/// A kind of device that a variant could be compiled for and was not.
struct NotBuilt {
  std::string kind;    ///< as in Build
  std::string reason;  ///< why not, with a remedy
};

/// One row of a catalog.
struct Variant {
  std::string id;             ///< "v7"; the file's own name where it has no number
  std::string step;           ///< "reciprocal"
  std::string model;          ///< "cuda", "omp", "thrust" or "serial"
  std::string source;         ///< path in the repository; empty where a model has no such step
  std::vector<Build> builds;  ///< empty where this program holds none
  std::string reason;         ///< why not, where builds is empty
  std::vector<NotBuilt> not_built = {};  ///< where there are builds, the ones that are lacking
  /// The cost of one piece of work, as the line "// Operations: ..." of its file says, without the
  /// full stop; empty where there is none. Its kernel knows how to read it.
  std::string operations = {};
};

/// 7 of "v7"; 0 of an id without a number.
int number_of(std::string_view id);

/// The name of a variant's file: "v8_power2", or "my_idea" where it has no number.
std::string label_of(const Variant& variant);

}  // namespace gpp
