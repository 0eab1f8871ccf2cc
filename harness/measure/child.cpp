#include "harness/measure/child.h"

#include <fmt/format.h>

#include <exception>

#include "roofline/base/visible.h"
#include "roofline/record/lines.h"

namespace gpp {

using roofline::any_text;
using roofline::Fields;
using roofline::Whole;

std::string error_of(const std::function<void()>& action) {
  std::string words;
  try {
    action();
    return {};
  } catch (const std::exception& error) {
    words = error.what();
  } catch (...) {
  }
  return words.empty() ? "stopped by an error of unknown kind" : words;
}

std::string early_end(const roofline::Finished& finished, double limit_s) {
  constexpr int first_signal = 128;  // an exit status above it: ended by a signal
  if (finished.silenced) return fmt::format("did not end in {:g} s", limit_s);
  if (finished.status > first_signal)
    return fmt::format("crashed (signal {})", finished.status - first_signal);
  return fmt::format("ended the program (exit status {})", finished.status);
}

void fields(Fields& field, CountedMessage& message) { fields(field, message.counted); }

}  // namespace gpp
