#include "harness/teach/lessons.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <sstream>

#include "harness/teach/markdown_text.h"
#include "roofline/base/text.h"

namespace gpp {
const std::string& Lesson::text(std::string_view title) const {
  static const std::string none;
  const auto found = std::ranges::find(sections, title, &Section::title);
  return found == sections.end() ? none : found->text;
}

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
  std::istringstream stream(without_comments(markdown));
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("# ")) {
      const std::size_t colon = std::min(line.find(": "), line.size() - 2);
      lessons.push_back({line.substr(2, colon - 2), line.substr(colon + 2)});
    } else if (line.starts_with("## ") && !lessons.empty()) {
      lessons.back().sections.push_back({line.substr(3), ""});
    } else if (!lessons.empty() && !lessons.back().sections.empty()) {
      lessons.back().sections.back().text += line + "\n";
    }
  }
  for (Lesson& lesson : lessons)
    for (Lesson::Section& section : lesson.sections) section.text = roofline::trimmed(section.text);
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
