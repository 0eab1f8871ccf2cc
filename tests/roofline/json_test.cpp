// Tests of described structs: written, read. Tests of pages: assembly and escaping.
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "roofline/base/text.h"
#include "roofline/json.h"
#include "roofline/points.h"
#include "roofline/record/facts.h"
#include "roofline/view/axes.h"
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
  int grouped = 7;
  std::vector<Missing> listed = {{"c", ""}, {"d", ""}};
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
  field.group("group", [&] { field("grouped", all.grouped, Whole{0, 9}); });
  field.list<Missing>("list", all.listed, 3,
                      [&](Missing& one) { field("name", one.name, any_text); });
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
  EXPECT_EQ(back.listed.at(1).name, "d");
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
                             Wrong{"/kind", "roof", "file: kind: none of compute, bandwidth"},
                             Wrong{"/pairs/0", {1}, "file: pairs[0]: not a pair"},
                             Wrong{"/pairs", 3, "file: pairs: not a list"},
                             Wrong{"/events/a b", 1, "file: events: 'a b' is no name"},
                             Wrong{"/events/wait", -1, "file: events.wait: -1 is out of range"},
                             Wrong{"/group/grouped", 10, "file: group.grouped: 10 is out of"},
                             Wrong{"/list/0/name", 3, "file: list[0].name: not a text"},
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

}  // namespace
}  // namespace roofline::test
