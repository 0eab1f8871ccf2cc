#include "harness/teach/lessons.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "harness/teach/markdown_text.h"
#include "roofline/base/pattern.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

/// Where the text of a section belongs, with the place for a title that varies.
std::string& section_of(Lesson& lesson, const std::string& title) {
  static const std::map<std::string, std::string Lesson::*> texts = {
      {"Idea", &Lesson::idea},           {"What changes", &Lesson::changes},
      {"Predict", &Lesson::predict},     {"On an H100", &Lesson::recorded},
      {"On an H200", &Lesson::recorded}, {"On a host", &Lesson::on_host},
      {"In OpenMP", &Lesson::openmp},    {"Next", &Lesson::next}};
  lesson.titles.push_back(title);
  const auto found = texts.find(title);
  const auto text = found == texts.end() ? &Lesson::published : found->second;
  if (text == &Lesson::published) lesson.published_on = title;
  if (text == &Lesson::recorded) lesson.recorded_on = title;
  return lesson.*text;
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

std::vector<Lesson> parse_lessons(std::string_view markdown) {
  std::vector<Lesson> lessons;
  std::string* text = nullptr;  // of the open section
  std::string gap;              // before its next line
  std::istringstream stream(without_comments(markdown));
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("# ")) {
      Lesson& lesson = lessons.emplace_back();
      const std::size_t colon = std::min(line.find(": "), line.size() - 2);
      lesson.id = line.substr(2, colon - 2);
      lesson.step = line.substr(colon + 2);
      text = nullptr;
    } else if (line.starts_with("## ") && !lessons.empty()) {
      text = &section_of(lessons.back(), line.substr(3));
    } else if (line.empty()) {
      gap += "\n";
    } else if (text != nullptr) {
      *text += (text->empty() ? "" : gap) + line;
      gap = "\n";
    }
  }
  return lessons;
}

const std::vector<Lesson>& lessons_of(const Kernel& kernel) {
  static std::map<const Kernel*, std::vector<Lesson>> known;
  const auto [place, is_new] = known.try_emplace(&kernel);
  if (!is_new) return place->second;
  for (const embedded::File& file : kernel.lessons)
    for (Lesson& lesson : parse_lessons(file.text)) place->second.push_back(std::move(lesson));
  return place->second;
}

const Lesson* find_lesson(const Kernel& kernel, std::string_view name) {
  for (const Lesson& lesson : lessons_of(kernel))
    if (lesson.id == name || lesson.step == name) return &lesson;
  return nullptr;
}

}  // namespace gpp
