// The interface of a variant: a function from a problem to its answer.
//
// A variant knows the problem but nothing of timing, checking or counters. A line of its file makes
// it known (runtimes/registration.h), and harness/program/catalog.h lists it.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtimes/registration.h"
#include "runtimes/runtime.h"

namespace gpp {

/// A variant, ready to be called. It knows the types of its problem and of its answer, and refuses
/// others. Arrays of the problem lie where the variant's runtime placed them.
class Call {
 public:
  Call() = default;  ///< makes an empty call
  explicit Call(const AnyFunction& variant);

  /// Calls function(problem, answer).
  template <class Problem, class Answer, class Function>
  static Call of(Function function) {
    Call call;
    call.types_ = CallTypes::of<Problem, Answer>();
    call.function_ = [function = std::move(function)](const void* problem, void* answer) {
      function(*static_cast<const Problem*>(problem), *static_cast<Answer*>(answer));
    };
    return call;
  }

  /// A call for the same types, done by `other`, which treats problem and answer as bytes.
  using Other =
      std::function<void(std::span<const std::byte> problem, std::span<std::byte> answer)>;
  Call done_by(Other other) const;
  /// Calls with the bytes of a problem and of an answer of the right types, aligned for any type.
  void on_bytes(const std::byte* problem, std::byte* answer) const { function_(problem, answer); }
  /// Puts own(address) in the place of the address of each of the problem's arrays. Throws
  /// std::logic_error where the problem's type does not list them (Relocation).
  using Own = std::function<void*(const void* address)>;
  void relocate(std::byte* problem, const Own& own) const;
  /// Names the types of the problem and of the answer; empty where there is no variant.
  std::string types() const;
  std::size_t problem_bytes() const { return types_.problem_bytes; }
  std::size_t answer_bytes() const { return types_.answer_bytes; }

  /// The start of the variant's machine code; nullptr if unknown.
  const void* code() const { return code_; }

  explicit operator bool() const { return function_ != nullptr; }

  /// True if this is the type of the variant's problem.
  template <class Problem>
  bool takes() const {
    return types_.problem != nullptr && *types_.problem == typeid(Problem);
  }

  /// Throws std::logic_error if the variant has other types of problem or answer.
  template <class Problem, class Answer>
  void operator()(const Problem& problem, Answer& answer) const {
    if (!takes<Problem>() || *types_.answer != typeid(Answer)) refuse();
    function_(&problem, &answer);
  }
  template <class Problem>
  void operator()(const Problem& problem) const {
    NoAnswer none;
    (*this)(problem, none);
  }

 private:
  [[noreturn]] void refuse() const;

  const void* code_ = nullptr;
  CallTypes types_;
  std::function<void(const void* problem, void* answer)> function_;
};

/// Makes the call of a variant `Answer f(const Problem&)`, or of one without an answer.
template <class Problem, class Answer>
Call call_of(Answer (*function)(const Problem&)) {
  return Call(AnyFunction(function));
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

/// A kernel's model on a kind of device: how its variants, and plug-ins, are compiled and run.
struct Recipe {
  std::string model;
  std::string kind;                  ///< kind of device: "host" or "gpu"
  std::string space;                 ///< namespace of its functions: "gpp::omp"
  const Runtime* runtime = nullptr;  ///< nullptr where the model is missing
  bool cuda = false;                 ///< compiled by nvcc, else by the C++ compiler
  bool loadable = true;              ///< false: its device code can only be linked into programs
  std::string options = {};          ///< options beyond those of every source, separated by ';'
  std::string missing = {};          ///< reason why this program lacks it; empty if it has it
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
  /// The variant that its line "// Made from v8_power2." names; empty without such a line.
  std::string made_from = {};
};

/// Returns 7 for "v7", and 0 for an id without a number.
int number_of(std::string_view id);

/// The name of a variant's file: "v8_power2", or "my_idea" for a variant without a number.
std::string label_of(const Variant& variant);

}  // namespace gpp
