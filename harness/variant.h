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
    if constexpr (requires(Problem & all, const Relocation& visit) { each_array(all, visit); })
      call.relocate_ = [](void* problem, const Relocation& visit) {
        each_array(*static_cast<Problem*>(problem), visit);
      };
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

  /// A call for the same types, done by `other`, which treats problem and answer as bytes.
  using Other =
      std::function<void(std::span<const std::byte> problem, std::span<std::byte> answer)>;
  Call done_by(Other other) const;
  /// Calls with the bytes of a problem and of an answer of the right types, aligned for any type.
  void on_bytes(const std::byte* problem, std::byte* answer) const;
  /// Puts own addresses in the place of those of the problem's arrays. Throws std::logic_error
  /// where the problem's type does not list them (Relocation).
  void relocate(std::byte* problem, const Relocation::Own& own) const;
  /// Names the types of the problem and of the answer; empty where there is no variant.
  std::string types() const;
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

  const void* code_ = nullptr;
  const std::type_info* problem_ = nullptr;
  const std::type_info* answer_ = nullptr;
  std::size_t problem_bytes_ = 0, answer_bytes_ = 0;
  std::function<void(const void* problem, void* answer)> function_;
  void (*relocate_)(void* problem, const Relocation& visit) = nullptr;
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

/// How plug-ins of a kernel's model are compiled for a kind of device: as the variants in the
/// source tree are. Options and links are separated by ';'.
struct Recipe {
  std::string model;
  std::string kind;   ///< kind of device: "host" or "gpu"
  std::string space;  ///< namespace of its functions: "gpp::omp"
  const Runtime* runtime = nullptr;
  bool cuda = false;         ///< compiled by nvcc, else by the C++ compiler
  std::string options = {};  ///< options beyond those of every source
  std::string links = {};    ///< libraries to link
  std::string missing = {};  ///< reason why this program lacks the model; empty if it has it
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
