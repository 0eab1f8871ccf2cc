// Expressions over counters: their value, and what they say when they cannot be read.
#include "roofline/formula.h"

#include "tests/text.h"

namespace roofline::test {
namespace {

const Counters counters = {{"a", 6}, {"b.sum", 3}, {"sm__c", 2}, {"zero", 0}, {"huge", 1e308}};

TEST(Formula, FollowsTheRulesOfArithmetic) {
  const auto value = [](const char* text) { return Formula(text).evaluate(counters).value(); };
  EXPECT_EQ(value("a"), 6);
  EXPECT_EQ(value("1e3"), 1000);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("a + b.sum * sm__c"), 12);
  EXPECT_EQ(value("(a + b.sum) * sm__c"), 18);
  EXPECT_EQ(value("a - b.sum - sm__c"), 1);
  EXPECT_EQ(value("a - (b.sum - sm__c)"), 5);
  EXPECT_EQ(value("a / b.sum / sm__c"), 1);
  EXPECT_EQ(value("a/b.sum*sm__c"), 4);
  EXPECT_EQ(value("-a + 2 * -(b.sum)"), -12);
  EXPECT_EQ(value("zero / a"), 0);
}

TEST(Formula, ListsEachNameOnceInOrder) {
  EXPECT_EQ(Formula("b.sum / (a + b.sum) + x_1").names(), (Texts{"b.sum", "a", "x_1"}));
  EXPECT_TRUE(Formula("2 * 3").names().empty());
}

TEST(Formula, HasNoValueWithoutItsCounters) {
  EXPECT_EQ(Formula("a + gone").evaluate(counters), std::nullopt);
  EXPECT_EQ(Formula("0 * gone").evaluate(counters), std::nullopt);
  EXPECT_EQ(Formula("a").evaluate({}), std::nullopt);
}

TEST(Formula, HasNoValueThatIsNoNumber) {
  EXPECT_EQ(Formula("a / zero").evaluate(counters), std::nullopt);
  EXPECT_EQ(Formula("zero / zero").evaluate(counters), std::nullopt);
  EXPECT_EQ(Formula("1 / (1 / zero)").evaluate(counters), std::nullopt);
  EXPECT_EQ(Formula("huge * huge").evaluate(counters), std::nullopt);
}

TEST(Formula, NamesThePlaceOfAnError) {
  const auto message = [](const std::string& text) {
    return thrown<FormulaError>([&] { Formula{text}; });
  };
  EXPECT_EQ(message("a +"),
            "formula 'a +': a number, a name or '(' is missing before its end "
            "(column 4)");
  EXPECT_EQ(message("a * / b"),
            "formula 'a * / b': a number, a name or '(' is missing before '/' "
            "(column 5)");
  EXPECT_EQ(message("a b"), "formula 'a b': an operator is missing before 'b' (column 3)");
  EXPECT_EQ(message("(a + b"), "formula '(a + b': ')' is missing before its end (column 7)");
  EXPECT_EQ(message("a)"), "formula 'a)': an operator is missing before ')' (column 2)");
  EXPECT_EQ(message(". + a"), "formula '. + a': no number begins with '.' (column 1)");
  EXPECT_TRUE(contains(message("1e999"), "column 1"));
  EXPECT_TRUE(contains(message(""), "its end"));
  EXPECT_TRUE(contains(message("a ^ b"), "'^'"));
  EXPECT_TRUE(contains(message(std::string(100000, '(')), "nested too deeply"));
  EXPECT_TRUE(contains(message(std::string(100000, '-') + "1"), "nested too deeply"));
}

}  // namespace
}  // namespace roofline::test
