// Which launches are chosen: by number, name, ranges and the profiler's marks.
#include <thread>

#include "roofline/base/error.h"
#include "roofline/inject/selection.h"
#include "tests/text.h"

namespace roofline::inject {
namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

Selection launches(const std::string& text) {
  Selection selection;
  read_launches(text, selection);
  return selection;
}

Selection kernels(const std::string& expression) {
  Selection selection;
  selection.kernel = expression;
  return selection;
}

Selection within(const std::string& range) {
  Selection selection;
  selection.nvtx = range;
  return selection;
}

void expect_numbers(const std::string& text, std::int64_t first, std::int64_t last) {
  const Selection selection = launches(text);
  EXPECT_EQ(selection.first, first) << text;
  EXPECT_EQ(selection.last, last) << text;
}

/// Which of so many launches of one kernel are chosen: "-++-".
std::string choices(Chooser& chooser, int count, const std::string& kernel = "k") {
  std::string all;
  for (int i = 0; i < count; ++i) all.push_back(chooser.chosen(kernel) ? '+' : '-');
  return all;
}

TEST(Launches, AreReadFromText) {
  expect_numbers("10:20", 10, 20);
  expect_numbers("10:", 10, no_end);
  expect_numbers(":20", 1, 20);
  expect_numbers("10", 10, 10);
  expect_numbers("7:7", 7, 7);
  expect_numbers("9223372036854775807", no_end, no_end);
}

TEST(Launches, AreRefusedWhereTheyMeanNothing) {
  for (const char* text :
       {"", ":", "0", "0:3", ":0", "-1", "+1", " 1", "1 ", "a", "1:b", "1:2:3", "1.5", "0x10",
        "20:10", "9223372036854775808", "1:99999999999999999999", "\x1b[2J"}) {
    const std::string message = gpp::test::thrown<InputError>([&] { launches(text); });
    EXPECT_TRUE(gpp::test::contains(message, "--launch")) << text;
    EXPECT_FALSE(gpp::test::contains(message, "\x1b"));
  }
}

TEST(Launches, EverythingIsEverythingAlone) {
  EXPECT_TRUE(Selection{}.everything());
  EXPECT_TRUE(launches("1:").everything());
  EXPECT_FALSE(launches("2:").everything());
  EXPECT_FALSE(launches(":2").everything());
  EXPECT_FALSE(kernels("a").everything());
  EXPECT_FALSE(within("a").everything());
  Selection marked;
  marked.from_start = false;
  EXPECT_FALSE(marked.everything());
}

TEST(Chooser, FindsTheExpressionAnywhereInTheName) {
  Chooser chooser(kernels("gemm|^add$"));
  EXPECT_TRUE(chooser.chosen("void cutlass::gemm<int>(int*)"));
  EXPECT_TRUE(chooser.chosen("add"));
  EXPECT_FALSE(chooser.chosen("add_more"));
  EXPECT_TRUE(chooser.suits("sgemm"));
  EXPECT_FALSE(chooser.suits(""));
}

TEST(Chooser, RefusesWhatIsNoExpression) {
  for (const char* text : {"(", "[a", "a{2", "*("}) {
    EXPECT_TRUE(gpp::test::contains(
        gpp::test::thrown<InputError>([&] { const Chooser chooser(kernels(text)); }), "--kernel"));
  }
}

TEST(Chooser, SurvivesLongNames) {
  Chooser chooser(kernels("(a|b)*c$"));
  const std::string name(100'000, 'a');
  EXPECT_FALSE(chooser.chosen(name));
  EXPECT_TRUE(chooser.chosen(name + "c"));
}

TEST(Chooser, NumbersWhatTheOtherFiltersLeave) {
  Selection selection = kernels("k");
  selection.first = 2;
  selection.last = 3;
  Chooser chooser(selection);
  EXPECT_EQ(choices(chooser, 1), "-");
  EXPECT_EQ(choices(chooser, 5, "other"), "-----");
  EXPECT_EQ(choices(chooser, 4), "++--");
}

TEST(Chooser, NumbersOnlyWithinTheProfilersMarks) {
  Selection selection = launches("2");
  selection.from_start = false;
  Chooser chooser(selection);
  EXPECT_EQ(choices(chooser, 3), "---");
  chooser.profiler(true);
  EXPECT_EQ(choices(chooser, 3), "-+-");
  chooser.profiler(false);
  EXPECT_EQ(choices(chooser, 3), "---");
}

TEST(Chooser, ProfilersMarksMeanNothingWhereNobodyAsked) {
  Chooser chooser(Selection{});
  chooser.profiler(false);
  EXPECT_EQ(choices(chooser, 2), "++");
}

TEST(Chooser, RangesNestAndEndInOrder) {
  Chooser chooser(within("mine"));
  EXPECT_EQ(choices(chooser, 1), "-");
  chooser.push("outer");
  EXPECT_EQ(choices(chooser, 1), "-");
  chooser.push("mine");
  chooser.push("inner");
  EXPECT_EQ(choices(chooser, 1), "+") << "the asked one is open around it";
  chooser.pop();
  EXPECT_EQ(choices(chooser, 1), "+");
  chooser.pop();
  EXPECT_EQ(choices(chooser, 1), "-");
  chooser.pop();
  chooser.pop();  // more than were pushed
  chooser.pop();
  chooser.push("mine");
  EXPECT_EQ(choices(chooser, 1), "+");
}

TEST(Chooser, DomainsHaveStacksOfTheirOwn) {
  Chooser chooser(within("step"));
  const int ours = 0, other = 0;
  chooser.push("step", &ours);
  chooser.push("library", &other);
  chooser.pop(&ours);
  EXPECT_FALSE(chooser.chosen("k")) << "the other domain's range is none of ours";
  chooser.push("step", &ours);
  chooser.pop(&other);
  EXPECT_TRUE(chooser.chosen("k"));
}

TEST(Chooser, PushedRangesAreOfTheirThread) {
  Chooser chooser(within("mine"));
  chooser.push("mine");
  std::string other;
  std::thread([&] {
    other.append(choices(chooser, 1));
    chooser.pop();  // of nothing
    chooser.push("mine");
    other.append(choices(chooser, 1));
  }).join();
  EXPECT_EQ(other, "-+");
  EXPECT_EQ(choices(chooser, 1), "+");
  chooser.pop();
  EXPECT_EQ(choices(chooser, 1), "-");
}

TEST(Chooser, StartedRangesAreOfAllThreads) {
  Chooser chooser(within("mine"));
  chooser.start(1, "other");
  EXPECT_EQ(choices(chooser, 1), "-");
  chooser.start(2, "mine");
  chooser.start(3, "mine");
  std::string other;
  std::thread([&] { other = choices(chooser, 1); }).join();
  EXPECT_EQ(other, "+");
  chooser.end(2);
  chooser.end(77);  // never started
  EXPECT_EQ(choices(chooser, 1), "+") << "the third is still open";
  chooser.end(3);
  EXPECT_EQ(choices(chooser, 1), "-");
}

}  // namespace
}  // namespace roofline::inject
