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

std::string last_words(const roofline::Finished& finished) {
  constexpr std::size_t most = 300;
  const std::string& errors = finished.errors;
  std::string text =
      roofline::visible(errors.size() > most ? errors.substr(errors.size() - most) : errors);
  while (text.ends_with("\\n")) text.resize(text.size() - 2);
  return text.empty() ? "" : "; it said: " + text;
}

void fields(Fields& field, TotalsMessage& message) {
  field("asked_terms", message.asked_terms, roofline::any_size);
  field("part_terms", message.part_terms, Whole{1, roofline::bounds::large});
  events_field(field, "totals", message.totals, "");
  field("lost", message.lost, any_text);
}

void fields(Fields& field, CountsMessage& message) {
  field("terms", message.terms, Whole{1, roofline::bounds::large});
  field("part_terms", message.part_terms, Whole{1, roofline::bounds::large});
  field("part", message.part, any_text);
  field("lost", message.lost, any_text);
  lines_fields(field, message.lines, message.counted);
  if (!field.reads()) return;
  if (message.part_terms > message.terms) field.refuse("part_terms", "more than there are");
  if (message.counted.empty()) field.refuse("counted", "nothing was counted");
  for (const roofline::LineEvidence& line : message.lines)
    if (!line.stalls.empty()) field.refuse("lines", "samples among the counts");
}

void fields(Fields& field, CountedMessage& message) { fields(field, message.counted); }

}  // namespace gpp
