// The talk: its slides are whole, take 45 minutes, and ask before they tell.
#include <set>
#include <stdexcept>

#include "tests/text.h"
#include "tools/talk/slides.h"

namespace gpp {
namespace {

TEST(Slides, PartTextFromNotes) {
  const auto slides = slides_of(
      "# A\n\nfor all\n\nNotes (2 min): for one.\n\nAnd more.\n\n---\n\n## B\n\nNotes (0 min): "
      "c\n\n<!--numbers\n-->\n");
  ASSERT_EQ(slides.size(), 2u);
  EXPECT_EQ(slides[0].text, "# A\n\nfor all");
  EXPECT_EQ(slides[0].notes, "for one.\n\nAnd more.");
  EXPECT_EQ(slides[0].minutes, 2);
  EXPECT_EQ(slides[1].notes, "c");
  for (const char* text : {"", "# A", "# A\n\nNotes: b", "# A\n\nNotes (1 min): b\n\n---\n"})
    EXPECT_THROW(slides_of(text), std::runtime_error) << text;
}

TEST(Slides, BecomeOnePageThatEscapesAndNeedsNoFile) {
  const std::string page = talk_page(
      slides_of("# <A>\n\n![b](images/pole.svg)\n\nNotes (65 min): c"), GPP_SOURCE_DIR "/docs");
  EXPECT_TRUE(
      test::contains_all(page, {"<title>&lt;A&gt;</title>", "<img src=\"data:image/svg+xml;base64,",
                                "<p class=\"when\">0:00 to 1:05</p><p>c</p>"}));
  EXPECT_THROW(talk_page(slides_of("![b](none.svg)\n\nNotes (1 min): c"), GPP_SOURCE_DIR),
               std::runtime_error);
}

TEST(Talk, AsksBeforeItTellsAndTakesThreeQuartersOfAnHour) {
  const auto slides = slides_of(test::file_text(GPP_SOURCE_DIR "/docs/talk.md"));
  std::set<std::string> asked;
  int minutes = 0, told = 0;
  for (const Slide& slide : slides) {
    minutes += slide.minutes;
    const std::string title = slide.text.substr(0, slide.text.find_first_of(",\n"));
    constexpr std::string_view predict = "## Predict: ", came = "## What came: ";
    if (title.starts_with(predict)) asked.insert(title.substr(predict.size()));
    if (!title.starts_with(came)) continue;
    EXPECT_TRUE(asked.contains(title.substr(came.size()))) << title;
    ++told;
  }
  EXPECT_EQ(minutes, 45);
  EXPECT_EQ(told, int(asked.size()));
  EXPECT_GT(told, 4);
}

}  // namespace
}  // namespace gpp
