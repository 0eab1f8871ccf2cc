// What steps act on, and which lines play the same part in every step.
#include "harness/record/guide.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "gpp/study/kernel.h"
#include "harness/program/source_files.h"
#include "harness/teach/lessons.h"
#include "roofline/base/error.h"

namespace gpp {
namespace {

std::vector<std::string> lines_in(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The variant's own file, its forms, and what it shares with other variants.
SourceLines sources_of(const Variant& variant) {
  const std::string own = source_text(variant.source).value_or("");
  SourceLines sources = {{variant.source, lines_in(own)}};
  for (const char* folder : {"gpp/forms", "variants"})
    for (const std::string& file : files_included(own, folder))
      sources[file] = lines_in(source_text(file).value_or(""));
  return sources;
}

const LineRole& role_called(const std::string& name) {
  for (const LineRole& role : guide_of(gpp_kernel()).roles)
    if (role.name == name) return role;
  throw std::logic_error("no role " + name);
}

TEST(Guide, EveryStepButTheFirstHasAnAim) {
  const Guide& guide = guide_of(gpp_kernel());
  std::set<std::string> aims;
  for (const StepAim& aim : guide.aims) aims.insert(aim.id);
  for (const Lesson& lesson : lessons_of(gpp_kernel()))
    EXPECT_EQ(aims.contains(lesson.id), lesson.id != "v1") << lesson.id;
  int last = 0;
  for (const StepAim& aim : guide.aims) {
    EXPECT_GT(number_of(aim.id), last) << "in their order";
    last = number_of(aim.id);
  }
}

/// Up to v10: v11 and v12 have no such test, and load bands through helpers. A published line has
/// its part in its own step.
TEST(Guide, PartsStandInTheSourceOfEveryStep) {
  ASSERT_EQ(gpp_kernel().published().lines.size(), 5U);
  for (const Variant& variant : catalog()) {
    if (variant.source.ends_with(".md")) continue;
    const auto expect_part = [&](const LineRole& role) {
      EXPECT_FALSE(places_of(role, sources_of(variant)).empty())
          << variant.source << " has no line that lessons/guide.txt marks as " << role.name;
    };
    for (const PublishedLine& line : gpp_kernel().published().lines)
      if (variant.id == line.version) expect_part(role_called(line.role));
    const int number = number_of(variant.id);
    if (number > 0 && number <= 10)
      for (const LineRole& role : guide_of(gpp_kernel()).roles) expect_part(role);
  }
}

TEST(Guide, TheLoadAndTheCutoffAreOneLineEach) {
  const auto places_in = [](const char* role, const std::string& path) {
    return places_of(role_called(role), {{path, lines_in(source_text(path).value_or(""))}}).size();
  };
  for (const Variant& variant : catalog())
    if (variant.id == "v8" || variant.id == "v9") {
      EXPECT_EQ(places_in("band_load", variant.source), 1U) << variant.source;
    }
  for (const char* form : {"divide", "simplified", "reciprocal", "power2", "without_division",
                           "without_division_or_root", "without_root"})
    EXPECT_EQ(places_in("cutoff", std::string("gpp/forms/").append(form) + ".h"), 1U)
        << form << ": its line changed; lessons/guide.txt marks it";
}

TEST(Guide, MarksHoldOfAFileOrOfAWholeFolder) {
  const LineRole role{"r", "a part", {{"a/b.h", "x = "}, {"c/", "y("}}};
  EXPECT_TRUE(plays(role, "a/b.h", "  x = 1;"));
  EXPECT_FALSE(plays(role, "a/b.h/d", "  x = 1;"));
  EXPECT_FALSE(plays(role, "a/b.h", "  y(1);"));
  EXPECT_TRUE(plays(role, "c/d/e.cu", "y(1)"));
  EXPECT_FALSE(plays(role, "cc/e.cu", "y(1)"));
}

TEST(Guide, RefusesWhatItCannotBe) {
  const Guide sound = read_guide(
      "step v2\n  against wait, scalar code\n  by x\nrole r\n  title t\n  line a/ b c\n", "g");
  EXPECT_EQ(sound.aims.front().against, (std::vector<std::string>{"wait", "scalar code"}));
  EXPECT_EQ(sound.roles.front().marks.front().text, "b c");
  for (const char* bad :
       {"step v2\n  by x\n", "step v2\n  against wait\n", "step v2\n  against nonsense\n  by x\n",
        "step v2\n  against wait\n  against wait\n  by x\n", "role r\n  line a b\n",
        "role r\n  title t\n", "role r\n  title t\n  line a\n", "thing r\n  title t\n",
        "role r\n  title t\n  line a b\n  more m\n"})
    EXPECT_THROW(read_guide(bad, "g"), roofline::InputError) << bad;
}

}  // namespace
}  // namespace gpp
