// `roofline report`: where the page goes, what it holds, what must not break out of it.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/roofline/tool.h"
#include "tests/temporary_folder.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json data_of(const fs::path& page) {
  const std::string text = file_text(page), open = "id=\"report-data\">";
  const std::size_t start = text.find(open) + open.size();
  return json::parse(text.substr(start, text.find("</script>", start) - start));
}

/// A page's section of that id; null where there is none.
json section_of(const json& page, const std::string& id) {
  for (const json& section : page["sections"])
    if (section["id"] == id) return section;
  return nullptr;
}

/// Rows of the table of that name in the section of kernels: the cells, each {"text", ...} or a
/// text.
json rows_of(const json& page, const std::string& table) {
  const json section = section_of(page, "results");
  for (const json& block : section["blocks"])
    if (block["kind"] == "table" && block["table"]["name"] == table) return block["table"]["rows"];
  return json::array();
}

std::string text_of(const json& row, std::size_t cell) {
  const json& it = row["cells"][cell];
  return it.is_string() ? it.get<std::string>() : it["text"].get<std::string>();
}

/// The kernel's name, whole: it stands behind the short one.
std::string whole_name(const json& row) {
  const json& cell = row["cells"][1];
  return cell.is_object() && cell.contains("note") ? cell["note"].get<std::string>()
                                                   : text_of(row, 1);
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
    const Finished done = succeeded(roofline({"import", samples + "ncu-nersc-gpp-v9.csv", "--roofs",
                                              h200_roofs, "-o", (folder / "nersc").string()}));
    EXPECT_TRUE(contains(done.output, "Report: " + (folder / "nersc/report.html").string()));
    return folder / "nersc";
  }

  TemporaryFolder temporary;
  const fs::path folder = temporary.path();
};

TEST_F(RooflineReport, HoldsKernelsAsTheirTableHasThem) {
  const json pages = data_of(import_sample() / "report.html")["pages"];
  ASSERT_EQ(pages.size(), 1u);
  const json& page = pages[0];
  EXPECT_EQ(page["name"], "nersc");
  EXPECT_EQ(page["heading"], "NVIDIA H200");
  EXPECT_TRUE(contains(section_of(page, "roofs").dump(), "Roofs of NVIDIA H200"));
  const json kernels = rows_of(page, "kernels"), work = rows_of(page, "work");
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(text_of(kernels[0], 0), "1");
  EXPECT_EQ(text_of(kernels[0], 1), "cache_blocking_kernel");
  EXPECT_NE(whole_name(kernels[0]), text_of(kernels[0], 1)) << "the whole name";
  EXPECT_EQ(text_of(work[0], 2), "FP64");
  EXPECT_EQ(work[0]["cells"][3]["key"], 9347577596.0);
  EXPECT_EQ(text_of(work[0], 8), "compute");
  EXPECT_TRUE(contains(section_of(page, "missing").dump(), "shared: l1tex__data_pipe"));
  EXPECT_FALSE(contains(section_of(page, "results").dump(), "smsp__")) << "counters are not shown";
  json drawn = json::array();
  const json section = section_of(page, "roofline");
  for (const json& block : section["blocks"])
    if (block["kind"] == "chart") drawn.push_back(block["id"]);
  EXPECT_EQ(drawn, json({"roofline-fp64"})) << "four operations make no chart";
}

TEST_F(RooflineReport, IsWrittenAnewBesideItsProfileOrWhereAsked) {
  const fs::path profile = import_sample();
  const std::string before = file_text(profile / "report.html");
  fs::remove(profile / "report.html");
  const Finished done = roofline({"report", (profile / "profile.json").string()});
  EXPECT_EQ(done.output, "Report: " + (profile / "report.html").string() + "\n") << done.errors;
  EXPECT_EQ(file_text(profile / "report.html"), before);
  EXPECT_EQ(roofline({"report", profile.string(), "-o", (folder / "x.html").string()}).status, 0);
  EXPECT_EQ(file_text(folder / "x.html"), before);
  EXPECT_EQ(roofline({"report", profile.string(), "-o", folder.string()}).status, 0);
  EXPECT_EQ(file_text(folder / "report.html"), before);
  EXPECT_EQ(roofline({"report", profile.string() + "/", "-o", (folder / "new").string()}).status,
            0);
  EXPECT_EQ(file_text(folder / "new/report.html"), before) << "the same name in the page, too";
}

TEST_F(RooflineReport, WritesOverNoOtherFile) {
  const fs::path kept = keep("a", sample_profile({{"k"}}));
  const std::string before = file_text(kept / "profile.json");
  refused(roofline({"report", kept.string(), "-o", (kept / "profile.json").string()}),
          {"profile.json: this folder cannot be made"});
  EXPECT_EQ(file_text(kept / "profile.json"), before);
}

TEST_F(RooflineReport, PutsSeveralOnOnePageWithNamesOfTheirOwn) {
  const std::string a = keep("a/run", sample_profile({{"k"}}, "NVIDIA T4")),
                    b = keep("b/run", sample_profile({{"l"}}));
  const std::string page = folder / "both.html";
  refused(roofline({"report", a, b}), {"-o FILE.html"});
  ASSERT_EQ(roofline({"report", a, b, "-o", page}).status, 0);
  const json pages = data_of(page)["pages"];
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0]["name"], "run");
  EXPECT_EQ(pages[1]["name"], "run (2)");
  EXPECT_EQ(text_of(rows_of(pages[1], "kernels")[0], 1), "l");
  EXPECT_TRUE(section_of(pages[0], "roofs").is_null());
  ASSERT_EQ(roofline({"report", a, b, "-o", page, "--roofs", "v100"}).status, 0);
  EXPECT_TRUE(contains(section_of(data_of(page)["pages"][0], "roofs").dump(),
                       "Roofs of NVIDIA V100 (published)"));
}

TEST_F(RooflineReport, NamesNeverBecomePartsOfThePage) {
  const std::vector<std::string> evil = {"</script><script>alert(1)</script>",
                                         "<!--<script>",
                                         "a\u202eb\u2028c\u2066",
                                         "\x1b[2J\x01\r",
                                         "{{script}}{{plotly}}",
                                         std::string(20000, 'x')};
  std::vector<SampleKernel> kernels;
  for (const std::string& name : evil) kernels.push_back({name});
  json profile = sample_profile(kernels, "</title><script>");
  profile["program"] = "</title><script>alert(2)</script>\u202e";
  profile["notes"] = evil;
  const fs::path kept = keep("evil", profile);
  ASSERT_EQ(roofline({"report", kept.string()}).status, 0);
  const std::string page = file_text(kept / "report.html");
  for (const char* part :
       {"<script>alert", "</title><script>", "\u202e", "\u2028", "\u2066", "\x1b", "\x01"})
    EXPECT_FALSE(contains(page, part)) << part;
  const json rows = rows_of(data_of(kept / "report.html")["pages"][0], "kernels");
  ASSERT_EQ(rows.size(), evil.size());
  EXPECT_EQ(whole_name(rows[0]), evil[0]);
  EXPECT_EQ(whole_name(rows[2]), "a\\u202eb\\u2028c\\u2066");
  EXPECT_EQ(whole_name(rows[4]), evil[4]);
  EXPECT_EQ(whole_name(rows[5]), evil[5]);
  EXPECT_LE(text_of(rows[5], 1).size(), 48u);
}

/// As it comes from other profilers, before any profile of it was kept and read.
TEST_F(RooflineReport, WritesOutWhatActsInImportedNames) {
  std::string text = file_text(samples + "ncu-nersc-gpp-v9.csv");
  const std::string name = "cache_blocking_kernel";
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + name.size()))
    text.replace(at, name.size(), "evil\u202e\u2028\x1b[2J_kernel");
  const fs::path file = folder / "a\u202eb.csv";
  std::ofstream(file, std::ios::binary) << text;
  succeeded(roofline({"import", file.string(), "-o", (folder / "kept").string()}));
  const std::string page = file_text(folder / "kept/report.html");
  EXPECT_TRUE(contains(page, "<title>a\\u202eb.csv on NVIDIA H200</title>"));
  const json shown = data_of(folder / "kept/report.html")["pages"][0];
  EXPECT_TRUE(contains(shown["masthead"].dump(), "a\\\\u202eb.csv"));
  EXPECT_EQ(text_of(rows_of(shown, "kernels")[0], 1), "evil\\u202e\\u2028\\x1b[2J_kernel");
}

TEST_F(RooflineReport, LoadsNothingFromAnywhere) {
  const std::string page = file_text(import_sample() / "report.html");
  EXPECT_TRUE(contains(page, "default-src 'none'")) << "and the browser watches over it";
  for (const char* word : {" src=\"", "@import", "url(http", "<link"})
    EXPECT_FALSE(contains(page.substr(0, page.find("* plotly.js")), word)) << word;
}

TEST_F(RooflineReport, RefusesWithTheFileAndARemedy) {
  const auto refuses = [](const Texts& arguments, const std::string& part) {
    refused(roofline(arguments), {part});
  };
  refuses({"report", folder.string()}, "no profile.json in this folder; `roofline import");
  refuses({"report", (folder / "none").string()}, "there is no such file");
  std::ofstream(folder / "cut.json") << "{\"roofline_profile\": 1,";
  refuses({"report", (folder / "cut.json").string()}, "cut.json: not JSON or cut off");
  const fs::path kept = keep("a", sample_profile({{"k"}}));
  refuses({"report", kept.string(), "-o", (folder / "missing/x.html").string()}, "missing/x.html");
  refuses({"report", kept.string(), "--roofs", "v10"}, "did you mean 'v100'?");
}

}  // namespace
}  // namespace roofline::test
