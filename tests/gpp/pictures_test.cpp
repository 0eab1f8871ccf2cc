// The pictures of docs/kernel.md are what the program draws today.
#include "gpp/study/pictures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <regex>

#include "gpp/study/kernel.h"

namespace gpp {
namespace {

std::string committed(const std::string& name) {
  std::ifstream stream(GPP_SOURCE_DIR "/docs/images/" + name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const std::regex& number() {
  static const std::regex form(R"(-?\d+\.\d+)");
  return form;
}

std::vector<double> numbers_in(const std::string& svg) {
  std::vector<double> list;
  for (std::sregex_iterator found(svg.begin(), svg.end(), number()), end; found != end; ++found)
    list.push_back(std::stod(found->str()));
  return list;
}

/// Rounding may turn a tenth of a coordinate on another machine; nothing else may differ.
TEST(Pictures, AreWhatTheProgramDraws) {
  const std::vector<Picture> pictures = draw_pictures();
  ASSERT_EQ(pictures.size(), 2u);
  for (const Picture& picture : pictures) {
    const std::string kept = committed(picture.name);
    const char* remedy = ": gpp explain kernel --svg docs/images";
    ASSERT_EQ(std::regex_replace(picture.svg, number(), "0"),
              std::regex_replace(kept, number(), "0"))
        << picture.name << remedy;
    const std::vector<double> drawn = numbers_in(picture.svg), known = numbers_in(kept);
    ASSERT_EQ(drawn.size(), known.size());
    for (std::size_t i = 0; i < drawn.size(); ++i)
      ASSERT_NEAR(drawn[i], known[i], 0.11) << picture.name << remedy;
  }
}

TEST(Pictures, StandInThePage) {
  const std::string_view page = gpp_kernel().page().text.text;
  for (const Picture& picture : draw_pictures())
    EXPECT_NE(page.find("](images/" + picture.name + ")"), page.npos) << picture.name;
}

TEST(Pictures, TellTheirInput) {
  const std::string loops = draw_pictures().front().svg;
  for (const char* text : {"402 G,", "402 G'", "192 bands", "the first 16 occupied"})
    EXPECT_NE(loops.find(text), std::string::npos) << text;
}

}  // namespace
}  // namespace gpp
