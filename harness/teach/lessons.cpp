#include "harness/teach/lessons.h"

#include <fmt/format.h>

#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "harness/teach/markdown_text.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

[[noreturn]] void fail_lesson(std::string_view source, const std::string& what) {
  throw std::runtime_error(fmt::format("{}: {}; see lessons/README.md", source, what));
}

/// Takes the rest of a line that begins with `prefix`. Returns false for other lines.
bool take(std::string_view line, std::string_view prefix, std::string& rest) {
  if (!line.starts_with(prefix)) return false;
  rest = roofline::trimmed(line.substr(prefix.size()));
  return true;
}

struct Section {
  std::string title;
  std::string text;
};

/// Splits a text at lines that begin with "# ".
std::vector<std::string> split_at_titles(const std::string& markdown) {
  std::vector<std::string> parts;
  std::istringstream stream(markdown);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with("# ") || parts.empty()) parts.emplace_back();
    parts.back() += line + "\n";
  }
  return parts;
}

/// The text of the title line, and the sections below it.
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
  for (Section& section : sections) section.text = roofline::trimmed(section.text);
  return {title, sections};
}

/// Takes the section with that title, which must be the next one.
std::string next_section(std::vector<Section>& rest, std::string_view title,
                         std::string_view source) {
  if (rest.empty() || rest.front().title != title)
    fail_lesson(source, fmt::format("'## {}' is missing or out of order", title));
  std::string text = std::move(rest.front().text);
  rest.erase(rest.begin());
  if (text.empty()) fail_lesson(source, fmt::format("'## {}' is empty", title));
  return text;
}

/// Takes the section with that title if it is the next one; else returns "".
std::string optional_section(std::vector<Section>& rest, std::string_view title,
                             std::string_view source) {
  if (rest.empty() || rest.front().title != title) return {};
  return next_section(rest, title, source);
}

/// True for the title of results from a recorded study, which names its GPU.
bool is_of_a_record(std::string_view title) {
  return title == "On an H100" || title == "On an H200";
}

/// Takes the section "## On a V100", or that of another device with published results.
void take_published(std::vector<Section>& rest, Lesson& lesson, std::string_view source) {
  if (rest.empty() || !rest.front().title.starts_with("On a") ||
      is_of_a_record(rest.front().title) || rest.front().title == "On a host")
    return;
  lesson.published_on = rest.front().title;
  lesson.published = next_section(rest, lesson.published_on, source);
}

Lesson parse_lesson(const std::string& markdown, std::string_view source) {
  auto [title, sections] = sections_of(markdown);
  const std::size_t colon = title.find(": ");
  if (colon == std::string::npos) fail_lesson(source, "must begin with '# ID: STEP'");

  Lesson lesson;
  lesson.id = title.substr(0, colon);
  lesson.step = title.substr(colon + 2);
  lesson.idea = next_section(sections, "Idea", source);
  lesson.changes = next_section(sections, "What changes", source);
  lesson.predict = next_section(sections, "Predict", source);
  take_published(sections, lesson, source);
  if (!sections.empty() && is_of_a_record(sections.front().title)) {
    lesson.recorded_on = sections.front().title;
    lesson.recorded = next_section(sections, lesson.recorded_on, source);
  }
  lesson.on_host = next_section(sections, "On a host", source);
  lesson.openmp = optional_section(sections, "In OpenMP", source);
  lesson.next = next_section(sections, "Next", source);
  if (!sections.empty())
    fail_lesson(source, fmt::format("'## {}' is unknown or out of order", sections.front().title));
  return lesson;
}

/// The paragraphs of a text, separated by empty lines.
std::vector<std::string> paragraphs_of(const std::string& markdown) {
  std::vector<std::string> paragraphs(1);
  std::istringstream stream(markdown);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty())
      paragraphs.back() += (paragraphs.back().empty() ? "" : "\n") + line;
    else if (!paragraphs.back().empty())
      paragraphs.emplace_back();
  }
  if (paragraphs.back().empty()) paragraphs.pop_back();
  return paragraphs;
}

/// The rest of the paragraph after the mark, capitalised because it now begins a sentence.
std::string sentence_after(std::string_view mark, const std::string& paragraph) {
  std::string rest(roofline::trimmed(std::string_view(paragraph).substr(mark.size())));
  if (!rest.empty()) rest[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(rest[0])));
  return rest;
}

}  // namespace

std::string text_for(const std::string& kind, const std::string& markdown) {
  constexpr std::string_view gpu = "On a GPU:", host = "On a host:";
  std::string text;
  for (const std::string& paragraph : paragraphs_of(markdown)) {
    const bool for_gpu = paragraph.starts_with(gpu), for_host = paragraph.starts_with(host);
    if ((for_gpu && kind != "gpu") || (for_host && kind != "host")) continue;
    if (!text.empty()) text += "\n\n";
    if (for_gpu || for_host)
      text += sentence_after(for_gpu ? gpu : host, paragraph);
    else
      text += paragraph;
  }
  return text;
}

std::vector<Lesson> parse_lessons(std::string_view markdown, std::string_view source) {
  std::vector<Lesson> list;
  for (const std::string& part : split_at_titles(without_comments(markdown)))
    list.push_back(parse_lesson(part, source));
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
