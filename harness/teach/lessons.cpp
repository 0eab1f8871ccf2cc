#include "harness/teach/lessons.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>

#include "harness/teach/markdown_text.h"
#include "roofline/base/pattern.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

[[noreturn]] void fail_lesson(std::string_view source, const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}; see lessons/README.md", source, what));
}

/// The text of a line "# ID: STEP", and titles and texts of the sections below it.
struct Chapter {
  std::string title;
  std::vector<std::pair<std::string, std::string>> sections;
};

std::vector<Chapter> chapters_of(const std::string& markdown) {
  std::vector<Chapter> chapters;
  std::istringstream stream(markdown);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("# ") || chapters.empty())
      chapters.push_back({line.starts_with("# ") ? line.substr(2) : "", {}});
    else if (line.starts_with("## "))
      chapters.back().sections.emplace_back(roofline::trimmed(line.substr(3)), "");
    else if (!chapters.back().sections.empty())
      chapters.back().sections.back().second += line + "\n";
  }
  return chapters;
}

/// True for the title of results from a recorded study, which names its GPU.
bool is_of_a_record(std::string_view title) {
  return title == "On an H100" || title == "On an H200";
}

Lesson lesson_in(const Chapter& chapter, std::string_view source) {
  const std::size_t colon = chapter.title.find(": ");
  if (colon == std::string::npos) fail_lesson(source, "must begin with '# ID: STEP'");
  Lesson lesson;
  lesson.id = chapter.title.substr(0, colon);
  lesson.step = roofline::trimmed(chapter.title.substr(colon + 2));

  auto next = chapter.sections.begin();
  const auto title = [&] { return next == chapter.sections.end() ? "" : next->first; };
  const auto take = [&](const std::string& wanted, std::string& text) {
    if (title() != wanted)
      fail_lesson(source, fmt::format("'## {}' is missing or out of order", wanted));
    text = roofline::trimmed(next++->second);
    if (text.empty()) fail_lesson(source, fmt::format("'## {}' is empty", wanted));
  };
  take("Idea", lesson.idea);
  take("What changes", lesson.changes);
  take("Predict", lesson.predict);
  if (title().starts_with("On a") && !is_of_a_record(title()) && title() != "On a host")
    take(lesson.published_on = title(), lesson.published);
  if (is_of_a_record(title())) take(lesson.recorded_on = title(), lesson.recorded);
  take("On a host", lesson.on_host);
  if (title() == "In OpenMP") take("In OpenMP", lesson.openmp);
  take("Next", lesson.next);
  if (!title().empty())
    fail_lesson(source, fmt::format("'## {}' is unknown or out of order", title()));
  return lesson;
}

}  // namespace

std::string text_for(const std::string& kind, const std::string& markdown) {
  const roofline::Pattern mark("^On a (GPU|host):\\s*");
  std::string text;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t end = std::min(markdown.find("\n\n", at), markdown.size());
    std::string paragraph(roofline::trimmed(markdown.substr(at, end - at)));
    at = end + 2;
    if (const auto found = mark.first(paragraph)) {
      if (roofline::in_lower_case((*found)[1]) != kind) continue;
      paragraph = found->after;
      paragraph[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(paragraph[0])));
    }
    if (!paragraph.empty()) text += (text.empty() ? "" : "\n\n") + paragraph;
  }
  return text;
}

std::vector<Lesson> parse_lessons(std::string_view markdown, std::string_view source) {
  std::vector<Lesson> list;
  for (const Chapter& chapter : chapters_of(without_comments(markdown)))
    list.push_back(lesson_in(chapter, source));
  if (list.empty()) fail_lesson(source, "must begin with '# ID: STEP'");
  return list;
}

const std::vector<Lesson>& lessons_of(const Kernel& kernel) {
  static std::map<const Kernel*, std::vector<Lesson>> known;
  const auto [place, is_new] = known.try_emplace(&kernel);
  if (!is_new) return place->second;
  for (const embedded::File& file : kernel.lessons)
    for (Lesson& lesson : parse_lessons(file.text, file.path))
      place->second.push_back(std::move(lesson));
  return place->second;
}

const Lesson* find_lesson(const Kernel& kernel, std::string_view name) {
  for (const Lesson& lesson : lessons_of(kernel))
    if (lesson.id == name || lesson.step == name) return &lesson;
  return nullptr;
}

}  // namespace gpp
