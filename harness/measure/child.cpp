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

int signal_of(const roofline::Finished& finished) {
  constexpr int first_signal = 128;  // an exit status above it: ended by a signal
  return finished.status > first_signal ? finished.status - first_signal : 0;
}

std::string bad_end(const roofline::Finished& finished, const std::string& silence) {
  if (finished.silenced) return silence;
  if (const int signal = signal_of(finished)) return fmt::format("crashed (signal {})", signal);
  return finished.status == 0 ? "" : fmt::format("ended with exit status {}", finished.status);
}

std::string early_end(const roofline::Finished& finished, double limit_s) {
  if (finished.silenced || signal_of(finished) != 0)
    return bad_end(finished, fmt::format("did not end in {:g} s", limit_s));
  return fmt::format("ended the program (exit status {})", finished.status);
}

void fields(Fields& field, CountedMessage& message) { fields(field, message.counted); }

}  // namespace gpp
