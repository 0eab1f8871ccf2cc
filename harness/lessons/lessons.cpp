#include "harness/lessons/lessons.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/lessons/marks.h"
#include "harness/program/embedded.h"

namespace gpp {
namespace {

[[noreturn]] void fail(std::string_view source, const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}; see lessons/README.md", source, what));
}

std::string trimmed(std::string_view text) {
  constexpr const char* blank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blank) - first + 1));
}

/// What stands after `prefix` in a line that begins with it; else nothing.
bool take(std::string_view line, std::string_view prefix, std::string& rest) {
  if (!line.starts_with(prefix)) return false;
  rest = trimmed(line.substr(prefix.size()));
  return true;
}

struct Section {
  std::string title;
  std::string text;
};

/// The title line's text, and the sections under it.
std::pair<std::string, std::vector<Section>> sections_of(std::string_view markdown) {
  std::string title, heading;
  std::vector<Section> sections;
  std::istringstream stream{std::string(markdown)};
  for (std::string line; std::getline(stream, line);) {
    if (take(line, "## ", heading)) {
      sections.push_back({heading, ""});
    } else if (sections.empty()) {
      take(line, "# ", title);
    } else {
      sections.back().text += line + "\n";
    }
  }
  for (Section& section : sections) section.text = trimmed(section.text);
  return {title, sections};
}

void require_sound(const Question& question, std::size_t right_ones, std::string_view source) {
  if (question.choices.size() < 2) fail(source, "a question needs choices: " + question.text);
  if (right_ones != 1) fail(source, "a question needs one right choice: " + question.text);
  if (question.why.empty()) fail(source, "a question needs its 'Why:': " + question.text);
}

/// "**text**" begins a question, "- [ ] " and "- [x] " a choice, "Why: " the reason; other lines
/// continue what is above them.
std::vector<Question> parse_quiz(const std::string& text, std::string_view source) {
  std::vector<Question> quiz;
  std::size_t right_ones = 0;
  std::string* open = nullptr;
  std::istringstream stream(text);
  for (std::string line, rest; std::getline(stream, line);) {
    if (take(line, "**", rest)) {
      if (!quiz.empty()) require_sound(quiz.back(), right_ones, source);
      quiz.emplace_back();
      right_ones = 0;
      open = &quiz.back().text;
      *open = rest;
    } else if (quiz.empty()) {
      if (!trimmed(line).empty()) fail(source, "the quiz must begin with a '**question**'");
    } else if (take(line, "- [x]", rest) || take(line, "- [ ]", rest)) {
      if (line.starts_with("- [x]")) {
        ++right_ones;
        quiz.back().right = quiz.back().choices.size();
      }
      open = &quiz.back().choices.emplace_back(rest);
    } else if (take(line, "Why:", rest)) {
      open = &quiz.back().why;
      *open = rest;
    } else if (!trimmed(line).empty()) {
      open->append(" ").append(trimmed(line));
    }
  }
  if (quiz.empty()) fail(source, "the quiz has no question");
  require_sound(quiz.back(), right_ones, source);
  for (Question& question : quiz) {
    if (!question.text.ends_with("**")) fail(source, "not closed by '**': " + question.text);
    question.text.resize(question.text.size() - 2);
  }
  return quiz;
}

/// Takes the section of that title, which must be the next.
std::string next_section(std::vector<Section>& rest, std::string_view title,
                         std::string_view source) {
  if (rest.empty() || rest.front().title != title)
    fail(source, fmt::format("'## {}' is missing or out of order", title));
  std::string text = std::move(rest.front().text);
  rest.erase(rest.begin());
  if (text.empty()) fail(source, fmt::format("'## {}' is empty", title));
  return text;
}

}  // namespace

Lesson parse_lesson(std::string_view markdown, std::string_view source) {
  auto [title, sections] = sections_of(without_marks(markdown));
  const std::size_t colon = title.find(": ");
  if (colon == std::string::npos) fail(source, "must begin with '# ID: STEP'");

  Lesson lesson;
  lesson.id = title.substr(0, colon);
  lesson.step = title.substr(colon + 2);
  lesson.idea = next_section(sections, "Idea", source);
  lesson.changes = next_section(sections, "What changes", source);
  lesson.predict = next_section(sections, "Predict", source);
  lesson.published = next_section(sections, "On a V100", source);
  lesson.recorded = next_section(sections, "On an H200", source);
  if (!sections.empty() && sections.front().title == "In OpenMP")
    lesson.host = next_section(sections, "In OpenMP", source);
  lesson.next = next_section(sections, "Next", source);
  lesson.quiz = parse_quiz(next_section(sections, "Quiz", source), source);
  if (!sections.empty()) fail(source, fmt::format("'## {}' is unknown", sections.front().title));
  return lesson;
}

const std::vector<Lesson>& lessons() {
  static const std::vector<Lesson> all = [] {
    std::vector<Lesson> list;
    for (const embedded::File& file : embedded::lessons())
      list.push_back(parse_lesson(file.text, file.path));
    return list;
  }();
  return all;
}

const Lesson* find_lesson(std::string_view name) {
  for (const Lesson& lesson : lessons())
    if (lesson.id == name || lesson.step == name) return &lesson;
  return nullptr;
}

}  // namespace gpp
