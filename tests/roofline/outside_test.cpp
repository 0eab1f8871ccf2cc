// Files and JSON of unknown origin: what they may be, and how soon the rest is refused.
#include "roofline/base/outside.h"

#include <sys/stat.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "roofline/base/error.h"
#include "roofline/base/text.h"
#include "roofline/base/visible.h"
#include "tests/temporary_folder.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

namespace fs = std::filesystem;

class OutsideFile : public testing::Test {
 protected:
  std::string refusal(std::uintmax_t most = most_record_bytes) const {
    return thrown<InputError>([&] { text_of_outside_file(file, most); });
  }

  TemporaryFolder folder;
  const fs::path file = folder / "a.json";
};

TEST_F(OutsideFile, IsReadWhole) {
  const std::string text = std::string("a\0b\n", 4) + std::string(100000, 'x');
  std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(text_of_outside_file(file), text);
  const fs::path link = folder / "link";
  fs::create_symlink(file, link);
  EXPECT_EQ(text_of_outside_file(link), text);
}

TEST_F(OutsideFile, IsARegularFileThatHoldsSomething) {
  EXPECT_TRUE(contains(refusal(), "a.json: there is no such file"));
  fs::create_directory(file);
  EXPECT_TRUE(contains(refusal(), "a.json: not a file but a folder"));
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_TRUE(contains(refusal(), "a.json: not a file but a pipe")) << "and nobody waits for it";
  for (const char* device : {"/dev/zero", "/dev/null"}) {
    fs::remove(file);
    fs::create_symlink(device, file);
    EXPECT_TRUE(contains(refusal(), "a device")) << device;
  }
  fs::remove(file);
  std::ofstream(file).flush();
  EXPECT_TRUE(contains(refusal(), "a.json: empty"));
}

TEST_F(OutsideFile, HasAMostOfBytes) {
  std::ofstream(file) << "12345";
  EXPECT_EQ(refusal(5), "");
  EXPECT_TRUE(contains(refusal(4), "a.json: 5 B are more than any such file has: 4 B at most"));
  fs::resize_file(file, std::uintmax_t{1} << 40);
  EXPECT_TRUE(contains(refusal(), "1.1 TB are more")) << "and nothing of it is read";
}

std::string refusal_of_json(const std::string& text) {
  return thrown<InputError>([&] { json_in(text, "a.json", "import it anew"); });
}

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

TEST(OutsideJson, IsNestedAFewLevelsDeep) {
  EXPECT_EQ(refusal_of_json(nested(64)), "");
  EXPECT_TRUE(contains(refusal_of_json(nested(65)), "a.json: nested more than 64 levels deep"));
  EXPECT_TRUE(contains(refusal_of_json("{\"a\":" + nested(131000) + "}"), "at byte 69"));
  EXPECT_EQ(refusal_of_json("[\"" + std::string(1000, '{') + "\\\"" + nested(1000) + "\"]"), "")
      << "brackets in a text are no levels";
}

TEST(OutsideJson, HasAMostOfValues) {
  std::string many = "[0";
  for (int i = 0; i < 4'000'000; ++i) many += ",0";
  EXPECT_TRUE(contains(refusal_of_json(many + "]"), "a.json: more than 4000000 values"));
  EXPECT_EQ(refusal_of_json("[\"" + std::string(5'000'000, ',') + "\"]"), "");
}

TEST(OutsideJson, SaysWhereItEndsToBeJson) {
  EXPECT_EQ(json_in("{\"a\": [1, 2]}", "a.json", "").at("a").size(), 2u);
  EXPECT_EQ(refusal_of_json("{\"a\": 1,, 2}"), "a.json: not JSON from byte 9 on; import it anew");
  EXPECT_EQ(refusal_of_json("{\"a\": 1"),
            "a.json: not JSON or cut off after byte 7; import it anew");
  EXPECT_TRUE(contains(refusal_of_json("[1e999]"), "the number 1e999 before byte 6"));
}

TEST(Shortened, IsCutBetweenCharacters) {
  const std::string text = "a\u20ac\u20ac\u20ac";  // three bytes each
  EXPECT_EQ(shortened(text, 10), text);
  for (std::size_t most = 3; most < text.size(); ++most) {
    const std::string cut = shortened(text, most);
    EXPECT_LE(cut.size(), most);
    EXPECT_TRUE(cut.ends_with("..."));
    EXPECT_EQ(visible(cut), cut) << most;
  }
  for (std::size_t most = 6; most < text.size(); ++most)
    EXPECT_EQ(visible(shortened_inside(text, most, 2)), shortened_inside(text, most, 2)) << most;
  EXPECT_EQ(shortened_inside("abcdefghij", 8, 3), "abc..hij");
}

}  // namespace
}  // namespace roofline::test
