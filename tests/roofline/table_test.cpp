// Tables as data: how the terminal, CSV files and the page show one.
#include "roofline/view/table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace roofline {
namespace {

ViewTable sample() {
  ViewTable table{"results", "Results", {}, {}, {"A note of several words."}};
  table.columns = {{"step", "step"},
                   {"seconds", "time", "the median", "s", Align::right},
                   {"nothing", "nothing"}};
  table.rows = {{{{"v1"}, {"1.500 s", 1.5}, {"-"}}, {}, ""},
                {{{"±, \"v2\""}, {"12.00 s", 12}, {""}}, {{"model", "omp"}}, "bad"}};
  return table;
}

TEST(ViewTables, AreAlignedOnATerminal) {
  EXPECT_EQ(terminal_text(sample(), false),
            "step        time  nothing\n"
            "-------------------------\n"
            "v1       1.500 s  -\n"
            "±, \"v2\"  12.00 s\n"
            "A note of several words.\n");
}

TEST(ViewTables, RowsAreColouredByTheirTone) {
  const std::string text = terminal_text(sample(), true);
  EXPECT_NE(text.find("\033[1;31m±"), std::string::npos) << text;
  EXPECT_EQ(text.find("\033[1;31mv1"), std::string::npos) << text;
}

TEST(ViewTables, ARowWithoutACellForEachColumnIsRefused) {
  ViewTable table = sample();
  table.rows[0].cells.pop_back();
  EXPECT_THROW(terminal_text(table), std::logic_error);
}

TEST(ViewTables, CsvHasKeysInFullAndNoFormulas) {
  ViewTable table = sample();
  table.rows[1].cells[2] = {"=1+1"};
  EXPECT_EQ(csv_text(table), "step,seconds,nothing\nv1,1.5,\n\"±, \"\"v2\"\"\",12,'=1+1\n");
}

TEST(ViewTables, LoseColumnsThatSayNothing) {
  const ViewTable table = without_empty_columns(sample());
  ASSERT_EQ(table.columns.size(), 2U);
  EXPECT_EQ(table.columns[1].name, "seconds");
  EXPECT_EQ(table.rows[1].cells.size(), 2U);
}

TEST(ViewTables, ArePlainDataForThePage) {
  const nlohmann::ordered_json json = to_json(sample());
  EXPECT_EQ(json["columns"][1].dump(),
            R"({"name":"seconds","title":"time","note":"the median","unit":"s","right":true})");
  EXPECT_EQ(json["rows"][0].dump(), R"({"cells":["v1",{"text":"1.500 s","key":1.5},"-"]})");
  EXPECT_EQ(json["rows"][1]["tags"].dump(), R"({"model":"omp"})");
  EXPECT_EQ(json["rows"][1]["tone"], "bad");
}

}  // namespace
}  // namespace roofline
