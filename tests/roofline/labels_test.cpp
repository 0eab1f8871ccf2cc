// Labels keep clear of each other and of what they name.
#include "roofline/view/labels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/roofline/sample_chart.h"

namespace roofline {
namespace {

TEST(Labels, StandAboveWhereNothingIsInTheWay) {
  LabelPlacer placer({0, 0, 200, 200});
  const Box target{95, 95, 105, 105};
  const Box label = placer.place(target, 30, 12);
  EXPECT_GE(label.bottom, target.top);
  EXPECT_DOUBLE_EQ((label.left + label.right) / 2, 100);
}

TEST(Labels, KeepClearOfEachOtherAndOfMarkers) {
  LabelPlacer placer({0, 0, 400, 400});
  std::vector<Box> markers, labels;
  for (int i = 0; i < 6; ++i) {
    const double x = 180 + 9 * i, y = 200 + (i % 2) * 10;
    markers.push_back({x - 5, y - 5, x + 5, y + 5});
    placer.avoid(markers.back(), 30);
  }
  for (const Box& marker : markers) {
    labels.push_back(placer.place(marker, 24, 12));
    placer.take(labels.back());
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(test::overlap(labels[i], labels[j])) << i << j;
    for (const Box& marker : markers) EXPECT_FALSE(test::overlap(labels[i], marker)) << i;
  }
}

TEST(Labels, StayOnThePage) {
  LabelPlacer placer({0, 0, 100, 100});
  const Box label = placer.place({90, 90, 100, 100}, 30, 12);
  EXPECT_LE(label.right, 100);
  EXPECT_LE(label.top, 100);
}

TEST(Labels, ALineCostsWhereItIs) {
  LabelPlacer placer({0, 0, 100, 100});
  placer.avoid_line(0, 0, 100, 100, 10);
  EXPECT_GT(placer.cost({40, 40, 60, 60}), 10);
  EXPECT_EQ(placer.cost({60, 10, 90, 30}), 0);
}

TEST(Labels, CountCharactersNotBytes) {
  EXPECT_DOUBLE_EQ(text_width("v1–v3", 10), text_width("v1-v3", 10));
}

TEST(Spread, LeavesAloneWhatIsApart) {
  EXPECT_EQ(spread({10, 30, 60}, 15, 0, 100), (std::vector<double>{10, 30, 60}));
}

TEST(Spread, CentresACrowdWhereItWantsToBe) {
  EXPECT_EQ(spread({50, 50, 50}, 10, 0, 100), (std::vector<double>{40, 50, 60}));
  EXPECT_EQ(spread({48, 52}, 10, 0, 100), (std::vector<double>{45, 55}));
}

TEST(Spread, StaysInBounds) {
  EXPECT_EQ(spread({98, 99, 100}, 10, 0, 100), (std::vector<double>{80, 90, 100}));
  EXPECT_EQ(spread({-5, 1}, 10, 0, 100), (std::vector<double>{0, 10}));
  EXPECT_EQ(spread({75, 98, 99, 100}, 10, 0, 100), (std::vector<double>{70, 80, 90, 100}));
}

TEST(Labels, LinesWithoutEndAreNotInTheWay) {
  LabelPlacer placer({0, 0, 200, 200});
  placer.avoid_line(0, 0, std::numeric_limits<double>::infinity(), 10, 3);
  placer.avoid_line(0, NAN, 10, 10, 3);
  placer.avoid_line(-1e300, 0, 1e300, 0, 3);
  EXPECT_EQ(placer.cost({0, 0, 200, 200}), 0);
}

}  // namespace
}  // namespace roofline
