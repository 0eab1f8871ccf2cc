// Tests of described structs: written, read. Tests of pages: assembly and escaping.
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "roofline/base/error.h"
#include "roofline/json.h"
#include "roofline/page/assemble.h"
#include "roofline/page/model.h"
#include "roofline/points.h"
#include "roofline/record/facts.h"
#include "roofline/view/style.h"
#include "tests/roofline/sample_chart.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

/// Parses JSON as from a file, which loses the order of keys.
nlohmann::json parsed(const nlohmann::ordered_json& json) {
  return nlohmann::json::parse(json.dump());
}

/// Writes a value and reads it back.
template <class T>
T again(const T& value) {
  return read_facts<T>(JsonPlace(parsed(facts_json(value)), "", "file"));
}

TEST(Facts, KeepWhoCounted) {
  Counted counted;
  for (const CountedBy source : {CountedBy::nobody, CountedBy::cupti, CountedBy::analytic}) {
    counted.source = source;
    EXPECT_EQ(again(counted).source, source);
    nlohmann::json json = parsed(facts_json(counted));
    json["counting"]["source"] = "guessed";
    EXPECT_THROW(read_facts<Counted>(JsonPlace(json, "", "file")), InputError);
  }
}

TEST(Facts, LeaveOutMetricsThatCountersGive) {
  Counted counted;
  counted.source = CountedBy::cupti;
  counted.counters = {{"dram__bytes.sum", 2e9 / 3}};
  counted.metrics = evaluate(counted.counters);
  ASSERT_TRUE(counted.metrics.contains("dram_bytes"));
  nlohmann::json json = parsed(facts_json(counted));
  EXPECT_TRUE(json.at("metrics").empty());
  json["metrics"]["dram_bytes"] = 1;  // must not contradict the counter
  EXPECT_EQ(read_facts<Counted>(JsonPlace(json, "", "file")).metrics, counted.metrics);
  counted.source = CountedBy::analytic;
  counted.metrics["fp64_flop"] = 1e9 / 3;
  EXPECT_EQ(again(counted).metrics, counted.metrics) << "stated: facts, to the last bit";
}

TEST(Facts, KeepWhatALaunchCosts) {
  Ceilings gpu = large_gpu();
  EXPECT_FALSE(parsed(facts_json(gpu)).contains("launch"));
  EXPECT_FALSE(again(gpu).launch);
  gpu.launch = {2.2e-6, 2.1e-6, 2.4e-6, "empty"};
  nlohmann::json json = parsed(facts_json(gpu));
  EXPECT_EQ(json["launch"]["seconds"], 2.2e-6);
  EXPECT_EQ(parsed(facts_json(again(gpu))), json);
  for (const double seconds : {0.0, -1e-6, 2e-6, 3e-6, 1e9}) {
    json["launch"]["seconds"] = seconds;
    EXPECT_THROW(read_facts<Ceilings>(JsonPlace(json, "", "file")), InputError) << seconds;
  }
}

/// A struct with every kind of field.
struct Everything {
  bool truth = true;
  int number = -3;
  double real = 0.1, lost = std::numeric_limits<double>::infinity();
  std::string text = "a\nb", name = "v7";
  CeilingKind kind = CeilingKind::bandwidth;
  std::vector<std::array<double, 2>> pairs = {{1.0 / 3, 2}};
  std::map<std::string, std::int64_t> events = {{"wait", 1LL << 59}};
  std::optional<double> unknown = {}, known = 5e-324;
  std::optional<Missing> none = {}, some = Missing{"a", "b"};
};

void fields(Fields& field, Everything& all) {
  field("truth", all.truth, "whether");
  field("number", all.number, Whole{-5, 5});
  field("real", all.real, bounds::share, "of it");
  field("lost", all.lost, OrNull{bounds::count});
  field("text", all.text, any_text);
  field("name", all.name, a_name);
  field("kind", all.kind, Choice{{"compute", "bandwidth"}});
  field("pairs", all.pairs, bounds::finite);
  field("events", all.events, Named<Whole>{any_size, 5, true});
  field("unknown", all.unknown, bounds::finite);
  field("known", all.known, bounds::finite);
  field("none", all.none);
  field("some", all.some);
}

TEST(Facts, ComeBackAsTheyWere) {
  const Everything all, back = again(all);
  EXPECT_EQ(facts_text(back), facts_text(all));
  EXPECT_EQ(back.text, "a\\nb") << "as it may be shown";
  EXPECT_EQ(back.pairs, all.pairs) << "bit for bit";
  EXPECT_EQ(back.events, all.events);
  EXPECT_EQ(back.known, 5e-324);
  EXPECT_EQ(back.lost, all.lost);
  EXPECT_FALSE(back.unknown || back.none);
  EXPECT_EQ(back.some->reason, "b");
}

TEST(Facts, AreRefusedWithTheirPlace) {
  const nlohmann::json whole = parsed(facts_json(Everything()));
  struct Wrong {
    const char* place;
    nlohmann::json value;
    const char* message;
  };
  for (const Wrong& wrong : {Wrong{"/truth", 1, "file: truth: neither true nor false"},
                             Wrong{"/number", 6, "file: number: 6 is out of range: -5 to 5"},
                             Wrong{"/real", "1", "file: real: not a number"},
                             Wrong{"/real", nullptr, "file: real: not a number"},
                             Wrong{"/name", "a b", "file: name: 'a b' is no name"},
                             Wrong{"/kind", "roof", "file: kind: neither compute nor bandwidth"},
                             Wrong{"/pairs/0", {1}, "file: pairs[0]: not a pair"},
                             Wrong{"/pairs", 3, "file: pairs: not a list"},
                             Wrong{"/events/a b", 1, "file: events: 'a b' is no name"},
                             Wrong{"/events/wait", -1, "file: events.wait: -1 is out of range"},
                             Wrong{"/some", 3, "file: some: not an object"},
                             Wrong{"/some", {{"name", "a"}}, "file: some: 'reason' is missing"}}) {
    nlohmann::json json = whole;
    json[nlohmann::json::json_pointer(wrong.place)] = wrong.value;
    const std::string message =
        thrown<InputError>([&] { read_facts<Everything>(JsonPlace(json, "", "file")); });
    EXPECT_TRUE(message.starts_with(wrong.message)) << wrong.place << ": " << message;
  }
  for (const auto& [key, value] : whole.items()) {
    nlohmann::json json = whole;
    json.erase(key);
    const std::string message =
        thrown<InputError>([&] { read_facts<Everything>(JsonPlace(json, "", "file")); });
    EXPECT_EQ(message.empty(), key == "some") << key << ", which alone may lack";
  }
}

TEST(Messages, AreANameAndFields) {
  const std::string line = message_text("failure", Failure{"why\nnot"});
  EXPECT_EQ(line.find('\n'), line.npos) << "of one line";
  const Message message = message_in(line, "a child");
  EXPECT_EQ(message.what, "failure");
  EXPECT_EQ(message.read<Failure>().reason, "why\\nnot");
  EXPECT_THROW(message.refuse(), InputError);
  for (const char* text : {"", "[]", "{}", "{\"what\": 3}", "{\"what\": \"a b\"}"})
    EXPECT_THROW(message_in(text, "a child"), InputError) << text;
}

using Json = nlohmann::ordered_json;

PageParts small_parts() {
  return {"<title>{{title}}</title><style>{{style}}</style>{{data}}|{{plotly}}|{{script}}", "a{}",
          "plot()", "draw()"};
}

TEST(Page, FillsEachPlaceOnceAndNothingElse) {
  EXPECT_EQ(assemble_page(small_parts(), "<b>&\"{{script}}\"", Json{{"a", "{{script}}"}}),
            "<title>&lt;b&gt;&amp;&quot;{{script}}&quot;</title><style>a{}</style>"
            R"({"a":"{{script}}"}|plot()|draw())");
  PageParts parts = small_parts();
  for (const char* unknown : {"{{nowhere}}", "{{data"}) {
    parts.page = unknown;
    EXPECT_THROW(assemble_page(parts, "", {}), std::logic_error);
  }
}

TEST(Page, DataCannotEndItsElementAndKeepsEveryDigit) {
  const Json evil = {{"</script><script>alert(1)</script>", "<!--<script>"},
                     {"lines", "a\u2028b\u2029c"},
                     {"and", "&amp; ]]>"},
                     {"numbers", {0.1, 1e-300, 24542200000LL, 1.0 / 3.0, nullptr}}};
  const std::string text = json_in_html(evil);
  for (const char* part : {"<", ">", "&", "\u2028", "\u2029"}) EXPECT_FALSE(contains(text, part));
  EXPECT_EQ(Json::parse(text), evil) << "and says the same";
  EXPECT_EQ(Json::parse(json_in_html(Json{{"name", "caf\xe9"}}))["name"], "caf\uFFFD");
}

TEST(Page, WritesImagesInBase64) {
  const std::pair<const char*, const char*> vectors[] = {
      {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
      {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe\xfd", "//79"}};
  for (const auto& [text, encoded] : vectors)
    EXPECT_EQ(svg_data_uri(text), std::string("data:image/svg+xml;base64,") + encoded);
}

TEST(Page, SortsFilesByTheirNames) {
  PageParts parts = page_parts();
  EXPECT_TRUE(contains(parts.page, "<!DOCTYPE html>"));
  EXPECT_LT(parts.script.find("const model ="), parts.script.find("function drawChart("));
  EXPECT_LT(parts.script.find("function drawChart("), parts.script.find("\nbuildFrame();"));
  parts.add("a/b.css", "b{}");
  parts.add("c.js", "c()");
  parts.add("d.min.js", "d()");
  EXPECT_TRUE(parts.style.ends_with("b{}"));
  EXPECT_TRUE(parts.script.ends_with("c()"));
  EXPECT_EQ(parts.plotly, "d()");
}

TEST(Page, HasEachColourOnLightAndOnDarkPaper) {
  const std::string styles = colour_styles();
  for (const PaletteColour& colour : palette()) {
    const std::string name = "--" + colour.name + ": ";
    std::size_t count = 0;
    for (std::size_t at = styles.find(name); at != styles.npos; at = styles.find(name, at + 1))
      ++count;
    EXPECT_GE(count, 3u) << colour.name << ": light, chosen dark, the reader's dark";
  }
}

TEST(PageModel, GathersReasonsAndTagsAndLeavesOutWhatIsNotKnown) {
  const Json reasons = page::reasons({{"no GPU", "v1"}, {"no time", "v2"}, {"no GPU", "v3"}});
  EXPECT_EQ(reasons["items"], Json::parse(R"([["no GPU", "v1, v3"], ["no time", "v2"]])"));
  EXPECT_EQ(page::facts({{"a", "1"}, {"b", ""}})["items"], Json::parse(R"([["a", "1"]])"));
  EXPECT_EQ(page::code("<b>")["html"], "<code>&lt;b&gt;</code>");
  const Json block =
      page::with_tags(page::text("a"), {{"model", "omp"}, {"model", "cuda"}, {"level", "l2"}});
  EXPECT_EQ(block["tags"], Json::parse(R"({"model": ["omp", "cuda"], "level": ["l2"]})"));
  EXPECT_FALSE(page::with_tags(page::text("a"), {}).contains("tags"));
  const Json one = Json::object({{"kind", "rule"}});  // may be the list itself
  for (const Json& around :
       {page::section("id", "title", "lead", one), page::group(one), page::folded("more", one)})
    EXPECT_EQ(around["blocks"], Json::array({one})) << around;
}

}  // namespace
}  // namespace roofline::test
