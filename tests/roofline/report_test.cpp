// `roofline report`: where the page goes, what it holds, what must not break out of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::contains;
using test::roofline;
using test::samples;

json data_of(const fs::path& page) {
  const std::string text = gpp::test::file_text(page), open = "id=\"report-data\">";
  const std::size_t start = text.find(open) + open.size();
  return json::parse(text.substr(start, text.find("</script>", start) - start));
}

/// All texts of the page's model, whatever shows them.
void collect_texts(const json& at, std::vector<std::string>& texts) {
  if (at.is_string()) texts.push_back(at.get<std::string>());
  for (const json& inner : at)
    if (at.is_structured()) collect_texts(inner, texts);
}

/// Whether some text of the page holds that.
bool shows(const fs::path& page, const std::string& part) {
  std::vector<std::string> texts;
  collect_texts(data_of(page), texts);
  return std::any_of(texts.begin(), texts.end(),
                     [&part](const std::string& text) { return contains(text, part); });
}

/// Profiles that are kept, far from everything else.
class RooflineReport : public testing::Test {
 protected:
  fs::path keep(const std::string& name, const json& profile) {
    fs::create_directories(folder / name);
    std::ofstream(folder / name / "profile.json") << profile;
    return folder / name;
  }
  fs::path import_sample() {
    const Finished done = roofline({"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs",
                                    test::h200_roofs, "-o", (folder / "nersc").string()});
    EXPECT_EQ(done.status, 0) << done.errors;
    EXPECT_TRUE(contains(done.output, "Report: " + (folder / "nersc/report.html").string()));
    return folder / "nersc";
  }

  gpp::test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

TEST_F(RooflineReport, HoldsKernelsAsTheirTableHasThem) {
  const fs::path page = import_sample() / "report.html";
  for (const char* part : {"NVIDIA H200", "cache_blocking_kernel", "compute", "FP64"})
    EXPECT_TRUE(shows(page, part)) << part;
  EXPECT_FALSE(shows(page, "smsp__sass")) << "counters are not shown";
  EXPECT_FALSE(shows(page, "no such kernel"));
}

TEST_F(RooflineReport, IsWrittenAnewBesideItsProfileOrWhereAsked) {
  const fs::path profile = import_sample();
  const std::string before = gpp::test::file_text(profile / "report.html");
  fs::remove(profile / "report.html");
  const Finished done = roofline({"report", (profile / "profile.json").string()});
  EXPECT_EQ(done.output, "Report: " + (profile / "report.html").string() + "\n") << done.errors;
  EXPECT_EQ(gpp::test::file_text(profile / "report.html"), before);
  EXPECT_EQ(roofline({"report", profile.string(), "-o", (folder / "x.html").string()}).status, 0);
  EXPECT_EQ(gpp::test::file_text(folder / "x.html"), before);
  EXPECT_EQ(roofline({"report", profile.string(), "-o", folder.string()}).status, 0);
  EXPECT_EQ(gpp::test::file_text(folder / "report.html"), before);
  EXPECT_EQ(roofline({"report", profile.string() + "/", "-o", (folder / "new").string()}).status,
            0);
  EXPECT_EQ(gpp::test::file_text(folder / "new/report.html"), before)
      << "the same name in the page, too";
}

TEST_F(RooflineReport, WritesOverNoOtherFile) {
  const fs::path kept = keep("a", test::sample_profile({{"k"}}));
  const std::string before = gpp::test::file_text(kept / "profile.json");
  const Finished done = roofline({"report", kept.string(), "-o", (kept / "profile.json").string()});
  EXPECT_EQ(done.status, 2);
  EXPECT_TRUE(contains(done.errors, "profile.json: this folder cannot be made")) << done.errors;
  EXPECT_EQ(gpp::test::file_text(kept / "profile.json"), before);
}

TEST_F(RooflineReport, PutsSeveralOnOnePageWithNamesOfTheirOwn) {
  const std::string a = keep("a/run", test::sample_profile({{"k"}})),
                    b = keep("b/run", test::sample_profile({{"l"}}));
  const std::string page = folder / "both.html";
  const Finished unnamed = roofline({"report", a, b});
  EXPECT_EQ(unnamed.status, 2);
  EXPECT_TRUE(contains(unnamed.errors, "-o FILE.html")) << unnamed.errors;
  ASSERT_EQ(roofline({"report", a, b, "-o", page}).status, 0);
  EXPECT_TRUE(shows(page, "run (2)"));
  EXPECT_FALSE(shows(page, "NVIDIA V100 (published)"));
  ASSERT_EQ(roofline({"report", a, b, "-o", page, "--roofs", "v100"}).status, 0);
  EXPECT_TRUE(shows(page, "NVIDIA V100 (published)"));
}

TEST_F(RooflineReport, NamesNeverBecomePartsOfThePage) {
  const std::vector<std::string> evil = {"</script><script>alert(1)</script>",
                                         "<!--<script>",
                                         "a\u202eb\u2028c\u2066",
                                         "\x1b[2J\x01\r",
                                         "{{script}}{{plotly}}",
                                         std::string(20000, 'x')};
  std::vector<test::SampleKernel> kernels;
  for (const std::string& name : evil) kernels.push_back({name});
  json profile = test::sample_profile(kernels, "</title><script>");
  profile["program"] = "</title><script>alert(2)</script>\u202e";
  profile["notes"] = evil;
  const fs::path kept = keep("evil", profile);
  ASSERT_EQ(roofline({"report", kept.string()}).status, 0);
  const std::string page = gpp::test::file_text(kept / "report.html");
  for (const char* part :
       {"<script>alert", "</title><script>", "\u202e", "\u2028", "\u2066", "\x1b", "\x01"})
    EXPECT_FALSE(contains(page, part)) << part;
  for (const std::string& name :
       {evil[0], std::string("a\\u202eb\\u2028c\\u2066"), evil[4], std::string(40, 'x')})
    EXPECT_TRUE(shows(kept / "report.html", name)) << name;
}

/// As it comes from other profilers, before any profile of it was kept and read.
TEST_F(RooflineReport, WritesOutWhatActsInImportedNames) {
  std::string text = gpp::test::file_text(samples + "ncu-nersc-gpp-v9.csv");
  const std::string name = "cache_blocking_kernel";
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + name.size()))
    text.replace(at, name.size(), "evil\u202e\u2028\x1b[2J_kernel");
  const fs::path file = folder / "a\u202eb.csv";
  std::ofstream(file, std::ios::binary) << text;
  const Finished done = roofline({"import", file.string(), "-o", (folder / "kept").string()});
  ASSERT_EQ(done.status, 0) << done.errors;
  const std::string page = gpp::test::file_text(folder / "kept/report.html");
  EXPECT_TRUE(contains(page, "<title>a\\u202eb.csv on NVIDIA H200</title>"));
  EXPECT_TRUE(shows(folder / "kept/report.html", "a\\u202eb.csv"));
  EXPECT_TRUE(shows(folder / "kept/report.html", "evil\\u202e\\u2028\\x1b[2J_kernel"));
}

TEST_F(RooflineReport, LoadsNothingFromAnywhere) {
  const std::string page = gpp::test::file_text(import_sample() / "report.html");
  EXPECT_TRUE(contains(page, "default-src 'none'")) << "and the browser watches over it";
  for (const char* word : {" src=\"", "@import", "url(http", "<link"})
    EXPECT_FALSE(contains(page.substr(0, page.find("* plotly.js")), word)) << word;
}

TEST_F(RooflineReport, RefusesWithTheFileAndARemedy) {
  const auto refuses = [](const std::vector<std::string>& arguments, const std::string& part) {
    const Finished done = roofline(arguments);
    EXPECT_EQ(done.status, 2) << part;
    EXPECT_TRUE(contains(done.errors, part)) << done.errors;
  };
  refuses({"report", folder.string()}, "no profile.json in this folder; `roofline import");
  refuses({"report", (folder / "none").string()}, "there is no such file");
  std::ofstream(folder / "cut.json") << "{\"roofline_profile\": 1,";
  refuses({"report", (folder / "cut.json").string()}, "cut.json: not JSON, or cut off");
  const fs::path kept = keep("a", test::sample_profile({{"k"}}));
  refuses({"report", kept.string(), "-o", (folder / "missing/x.html").string()}, "missing/x.html");
  refuses({"report", kept.string(), "--roofs", "v10"}, "did you mean 'v100'?");
}

}  // namespace
}  // namespace roofline
