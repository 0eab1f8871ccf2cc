// How a variant makes itself known: by a line under its function, GPP_VARIANT(power2);
//
// The file's name says the rest: variants/cuda/v08_power2.cu holds v8, power2, of model cuda. A
// file with a family has a line for each member: GPP_VARIANT(sweep<20>); is sweep_20. The family's
// file needs the name of none.
#pragma once

#include <cstddef>
#include <type_traits>
#include <typeinfo>

namespace gpp {

/// The answer type of a variant that writes its answer into an array of the problem.
struct NoAnswer {};

/// Puts own(context, address) in the place of each array's address. A problem's type is moved by it
/// that has, beside it, a function template each_array(problem, visit), which calls visit(data...)
/// once or several times with the members that point to arrays.
struct Relocation {
  void* (*own)(const void* context, const void* address);
  const void* context;

  template <class... T>
  void operator()(T*&... arrays) const {
    ((arrays = static_cast<T*>(own(context, arrays))), ...);
  }
};

/// The types of a variant, known while the program runs. All are null without a variant.
struct CallTypes {
  const std::type_info* problem = nullptr;
  const std::type_info* answer = nullptr;
  std::size_t problem_bytes = 0, answer_bytes = 0;
  /// Moves the problem's arrays; null if its type does not list them.
  void (*relocate)(void* problem, const Relocation& visit) = nullptr;

  template <class Problem, class Answer>
  static CallTypes of() {
    static_assert(std::is_trivially_copyable_v<Problem> && std::is_trivially_copyable_v<Answer>,
                  "they go to another process as bytes");
    CallTypes types{&typeid(Problem), &typeid(Answer), sizeof(Problem), sizeof(Answer)};
    if constexpr (requires(Problem & all, const Relocation& visit) { each_array(all, visit); })
      types.relocate = [](void* problem, const Relocation& visit) {
        each_array(*static_cast<Problem*>(problem), visit);
      };
    return types;
  }
};

/// A function `Answer f(const Problem&)`, or one without an answer.
struct AnyFunction {
  template <class Answer, class Problem>
  explicit AnyFunction(Answer (*variant)(const Problem&)) noexcept
      : function(reinterpret_cast<void (*)()>(variant)) {
    constexpr bool answers = !std::is_void_v<Answer>;
    types = CallTypes::of<Problem, std::conditional_t<answers, Answer, NoAnswer>>();
    call = [](void (*any)(), const void* problem, void* answer) {
      const auto typed = reinterpret_cast<Answer (*)(const Problem&)>(any);
      if constexpr (answers)
        *static_cast<Answer*>(answer) = typed(*static_cast<const Problem*>(problem));
      else
        typed(*static_cast<const Problem*>(problem));
    };
  }

  void (*function)();  ///< cast from its own type
  CallTypes types;
  void (*call)(void (*function)(), const void* problem, void* answer);
};

/// A variant in the list of the program, or of the plug-in, that it lies in. The list grows before
/// main() starts, or while the plug-in is loaded, in an order on which nothing depends.
struct Registration : AnyFunction {
  template <class Variant>
  Registration(const char* in_file, const char* called, const char* on, Variant* variant) noexcept
      : AnyFunction(variant), file(in_file), name(called), kind(on) {
    first = this;
  }

  const char* file;  ///< the source's, as the compiler names it
  const char* name;  ///< "power2", "sweep<20>"
  const char* kind;  ///< kind of device that it is compiled for: "host" or "gpu"
  const Registration* next = first;

  /// The list's begin. It is hidden, so that each plug-in has a list of its own.
  __attribute__((visibility("hidden"))) inline static const Registration* first = nullptr;
};

}  // namespace gpp

#define GPP_JOINED(a, b) a##b
#define GPP_REGISTRATION(number) GPP_JOINED(gpp_registration_, number)
/// Registers the function. The build defines GPP_KIND, the kind of device that it compiles for.
#define GPP_VARIANT(function)                                                                   \
  static const ::gpp::Registration GPP_REGISTRATION(__COUNTER__)(__FILE__, #function, GPP_KIND, \
                                                                 function)
