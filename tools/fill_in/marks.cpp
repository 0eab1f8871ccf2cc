#include "tools/fill_in/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <stdexcept>
#include <vector>

#include "roofline/base/pattern.h"
#include "roofline/base/text.h"

namespace gpp {
namespace {

constexpr std::string_view opening = "<!--", closing = "-->", end_of_table = "<!--/-->",
                           list_mark = "<!--numbers", table_mark = "<!--table ";

/// Bytes of the text.
struct Place {
  std::size_t begin = 0, end = 0;
};

/// A listed number, or a table.
struct Sourced {
  std::string name;              ///< "v7 time", "table steps"
  Place content;                 ///< what is filled in
  Place whole;                   ///< with the comments around a table
  std::optional<Place> in_list;  ///< the number there
};

[[noreturn]] void refuse(std::string_view what, const std::string& why) {
  throw std::runtime_error(fmt::format("'{}' {}", what, why));
}

bool is_blank(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }
bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }
bool is_word(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// The words on one line.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char letter : roofline::trimmed(text)) {
    if (!is_blank(letter))
      line += letter;
    else if (!line.ends_with(' '))
      line += ' ';
  }
  return line;
}

/// Where the phrase ends that begins at `at`, or npos where it does not stand there. A blank of the
/// phrase is any blank space of the text.
std::size_t end_of_phrase(std::string_view text, std::size_t at, std::string_view phrase) {
  for (const char letter : phrase) {
    if (at >= text.size() || (is_blank(letter) ? !is_blank(text[at]) : text[at] != letter))
      return text.npos;
    ++at;
    if (is_blank(letter))
      while (at < text.size() && is_blank(text[at])) ++at;
  }
  return at;
}

/// Whether the number there is no part of a longer one, nor of a name.
bool stands_alone(std::string_view text, Place number) {
  const std::string_view before = text.substr(0, number.begin), after = text.substr(number.end);
  if (!before.empty() && is_word(before.back())) return false;
  if (before.size() > 1 && before.back() == '.' && is_digit(before[before.size() - 2]))
    return false;
  if (after.empty()) return true;
  if (is_word(after[0])) return false;
  return !(after[0] == '.' && after.size() > 1 && is_digit(after[1]));
}

/// The parts of "blocks of [512] threads": before the number, the number, behind it.
struct Phrase {
  std::string_view before, number, after;

  explicit Phrase(std::string_view text) : number(text) {
    const std::size_t first = text.find('['), last = text.find(']');
    if (first == text.npos || last == text.npos || last < first) return;
    before = text.substr(0, first);
    number = text.substr(first + 1, last - first - 1);
    after = text.substr(last + 1);
  }

  std::optional<Place> find(std::string_view text, std::size_t from) const {
    for (std::size_t at = from; at < text.size(); ++at) {
      const std::size_t begin = end_of_phrase(text, at, before);
      if (begin == text.npos) continue;
      const std::size_t end = end_of_phrase(text, begin, number);
      if (end == text.npos || end_of_phrase(text, end, after) == text.npos) continue;
      if (stands_alone(text, {begin, end})) return Place{begin, end};
    }
    return std::nullopt;
  }
};

/// A text, and where in it the numbers and tables stand that have a source.
class Sources {
 public:
  explicit Sources(std::string_view text) : text_(text), prose_(text) {
    find_comments();
    std::size_t from = 0;
    for (const Place& list : lists) {
      at_ = end_before_ = from;
      read_list(list);
      from = list.end;
    }
  }

  std::vector<Sourced> all;
  std::vector<std::string> claims;
  std::vector<Place> lists, sections;

 private:
  static constexpr std::string_view is = " = ";

  void find_comments() {
    for (std::size_t at = text_.find(opening); at != text_.npos; at = text_.find(opening, at)) {
      const std::string_view rest = text_.substr(at);
      const std::size_t end = rest.find(closing);
      if (end == rest.npos) refuse(rest.substr(0, 40), "does not end");
      if (rest.starts_with(list_mark)) {
        lists.push_back({at, at + end + closing.size()});
        at = lists.back().end;
      } else if (rest.starts_with(table_mark)) {
        at = take_table(at, at + end);
      } else {
        refuse(one_line(rest.substr(0, end + closing.size())),
               "begins neither a table nor a list of numbers");
      }
    }
  }

  /// Returns where the table ends. No number is looked for in it.
  std::size_t take_table(std::size_t at, std::size_t end_of_mark) {
    const std::size_t begin = end_of_mark + closing.size();
    const std::size_t end = text_.find(end_of_table, begin);
    const std::size_t name = at + opening.size();
    if (end == text_.npos) refuse(text_.substr(at, begin - at), "has no partner");
    const Place whole = {at, end + end_of_table.size()};
    all.push_back(
        {std::string(text_.substr(name, end_of_mark - name)), {begin, end}, whole, std::nullopt});
    std::fill(prose_.begin() + static_cast<std::ptrdiff_t>(whole.begin),
              prose_.begin() + static_cast<std::ptrdiff_t>(whole.end), '\0');
    return whole.end;
  }

  void read_list(const Place& list) {
    from_ = {};
    std::size_t line = text_.find('\n', list.begin);
    while (line < list.end - closing.size()) {
      const std::size_t begin = line + 1;
      line = std::min(text_.find('\n', begin), list.end - closing.size());
      const std::string_view entries = text_.substr(begin, line - begin);
      constexpr std::string_view holds = "holds ", from = "from ", section = "section ";
      if (entries.starts_with(holds))
        claims.emplace_back(entries.substr(holds.size()));
      else if (entries.starts_with(from))
        from_ = roofline::trimmed(entries.substr(from.size()));
      else if (entries.starts_with(section))
        take_section(entries.substr(section.size()), list.begin);
      else if (!roofline::trimmed(entries).empty())
        read_row(begin, line, list.begin);
    }
  }

  /// "TITLE = told: REASON": the text below headings of that title, up to the next heading.
  void take_section(std::string_view entry, std::size_t end_of_prose) {
    const std::size_t sign = entry.rfind(is);
    if (sign == entry.npos || !entry.substr(sign + is.size()).starts_with("told: "))
      refuse(entry, "is a section without the reason, '= told: REASON'");
    const std::string heading = fmt::format("# {}\n", entry.substr(0, sign));
    const std::string_view prose = text_.substr(0, end_of_prose);
    std::size_t at = prose.find(heading, end_before_);
    if (at == prose.npos) refuse(entry, "is no section of the text");
    for (; at != prose.npos; at = prose.find(heading, at + 1)) {
      const std::size_t begin = at + heading.size();
      sections.push_back({begin, std::min(prose.find("\n#", begin), end_of_prose)});
    }
  }

  /// Numbers before the one with a source have the same.
  void read_row(std::size_t begin, std::size_t end_of_row, std::size_t end_of_prose) {
    constexpr std::string_view joint = " & ";
    std::vector<std::string_view> numbers;
    while (begin < end_of_row) {
      const std::size_t end = std::min(text_.find(joint, begin), end_of_row);
      const std::string_view entry = text_.substr(begin, end - begin);
      const std::size_t sign = entry.rfind(is);
      numbers.push_back(entry.substr(0, sign));
      begin = end + joint.size();
      if (sign == entry.npos) continue;
      const std::string source = whole_source(roofline::trimmed(entry.substr(sign + is.size())));
      for (const std::string_view number : numbers) take_number(number, source, end_of_prose);
      numbers.clear();
    }
    if (!numbers.empty()) refuse(numbers.back(), "is listed as a number without a source");
  }

  /// The source with the study or the file that a line "from ..." named.
  std::string whole_source(std::string_view source) const {
    if (source.empty()) refuse(source, "is no source");
    if (source.starts_with('"')) return fmt::format("in {} {}", from_, source);
    constexpr std::string_view sum = "computed: ";
    if (!source.starts_with(sum)) return of_study(source);
    std::string whole(source);
    for (std::size_t at = whole.find('{'); at != whole.npos; at = whole.find('{', at + 1)) {
      const std::size_t size = whole.find('}', at) - at - 1;
      whole.replace(at + 1, size, of_study(whole.substr(at + 1, size)));
    }
    return whole;
  }

  std::string of_study(std::string_view name) const {
    const bool is_study = !from_.empty() && from_.find('.') == from_.npos;
    const bool has_its_own = name.substr(0, name.find(' ')).find('/') != name.npos;
    for (const char* other : {"told: ", "in ", "V100 "})
      if (!is_study || has_its_own || name.starts_with(other)) return std::string(name);
    return fmt::format("{} {}", from_, name);
  }

  void take_number(std::string_view listed, const std::string& source, std::size_t end_of_prose) {
    const Phrase phrase(listed);
    if (phrase.number.empty()) refuse(listed, "lists no number");
    const auto place = phrase.find(std::string_view(prose_).substr(0, end_of_prose), at_);
    if (!place)
      refuse(listed, fmt::format("is listed{}, but its number does not stand there in the text",
                                 last_.empty() ? "" : fmt::format(" behind '{}'", last_)));
    const std::size_t in_list = std::size_t(phrase.number.data() - text_.data());
    all.push_back({source, *place, *place, Place{in_list, in_list + phrase.number.size()}});
    at_ = place->end;
    last_ = listed;
  }

  std::string_view text_, last_, from_;
  std::string prose_;
  std::size_t at_ = 0, end_before_ = 0;
};

struct Edit {
  Place place;
  std::string text;
};

std::string edited(std::string_view text, std::vector<Edit> edits) {
  std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.place.begin; });
  std::string result;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    result += text.substr(at, edit.place.begin - at);
    result += edit.text;
    at = edit.place.end;
  }
  return result.append(text.substr(at));
}

}  // namespace

std::string unmarked(std::string_view text) {
  const Sources sources(text);
  std::string left(text);
  const auto take = [&left](const Place& place) {
    std::fill(left.begin() + static_cast<std::ptrdiff_t>(place.begin),
              left.begin() + static_cast<std::ptrdiff_t>(place.end), '\0');
  };
  for (const Sourced& one : sources.all) take(one.whole);
  std::ranges::for_each(sources.lists, take);
  std::ranges::for_each(sources.sections, take);
  std::erase(left, '\0');
  return left;
}

std::string unsourced(std::string_view text) {
  static const roofline::Pattern no_quantity(
      "```[^`]*```|`[^`]*`|\\]\\([^)]*\\)|https?:\\S*|"
      "\\b(CUDA|CUPTI|Toolkit|driver|clang|g\\+\\+|LLVM|MPI|Slurm|nvcc|ptxas|glibc|CMake|Ubuntu|"
      "version|capability)"
      "\\s(\\d[\\w.]*(, | and | or |))+"),
      quantity(
          R"((^|[^\w.:/])(\d[\d.]*(e[+-]?\d+)?(%|x|\s([munk]?s|minutes|[kMGT]?i?B|W|J|[MG]Hz|)"
          R"([kMGT]?(FLOP|B)/(s|B)))(?![\w/])|\d+\.\d+(e[+-]?\d+)?(?![\w/]|\.\d)|([2-9]|\d{2,})e[+-]?\d+))");
  const auto found = quantity.first(no_quantity.replaced(unmarked(text), ""));
  return found ? one_line((*found)[2]) : "";
}

std::string filled(std::string_view text,
                   const std::function<std::string(std::string_view, std::string_view)>& content,
                   const std::function<void(std::string_view)>& hold) {
  const Sources sources(text);
  for (const std::string& claim : sources.claims) hold(claim);
  std::vector<Edit> edits;
  for (const Sourced& one : sources.all) {
    const std::string_view old =
        text.substr(one.content.begin, one.content.end - one.content.begin);
    const std::string known = one.in_list ? one_line(old) : std::string(old);
    const std::string now = content(one.name, known);
    if (now == known) continue;
    edits.push_back({one.content, now});
    if (one.in_list) edits.push_back({*one.in_list, now});
  }
  return edited(text, edits);
}

}  // namespace gpp
