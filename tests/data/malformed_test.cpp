// Tests of invalid files: each is refused with a message that names the fault, its place and a
// remedy, and without allocating more memory than the file itself needs.
#include <fmt/format.h>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "data/gpp214_records.h"
#include "data/validate.h"
#include "roofline/base/text.h"
#include "tests/data/sample.h"

namespace {
std::atomic<std::size_t> largest{0};  ///< largest request to operator new
}

// The thread sanitizer has its own operators new and delete, which exclude these. All other builds
// test the limit.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GPP_OWN_OPERATOR_NEW 0
#endif
#endif
#ifndef GPP_OWN_OPERATOR_NEW
#define GPP_OWN_OPERATOR_NEW 1
#endif

#if GPP_OWN_OPERATOR_NEW
// All unaligned forms of new and delete end in these functions.
void* operator new(std::size_t bytes) {
  if (bytes > largest) largest = bytes;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

namespace gpp::test {
namespace {

using ::testing::Message;

/// The sample with one piece per record, and with subrecords of 20 bytes.
const std::string good = bytes_of(sample_input());
std::vector<std::string> good_files() { return {good, bytes_of(sample_input(), {20})}; }

/// Expects a refusal whose message has all of `parts`, without a large allocation.
void expect_refused(const std::string& bytes, const std::vector<std::string>& parts) {
  largest = 0;
  const std::string message = refusal(bytes);
  EXPECT_LE(largest, bytes.size() + 16384) << message;
  EXPECT_TRUE(message.starts_with("sample.dat: ")) << '"' << message << '"';
  EXPECT_TRUE(contains_all(message, parts));
}

std::string record_name(int record) {
  std::string name;
  const Input sample = sample_input();
  for_each_record(sample, [&](const Record& one, auto&&... /*items*/) {
    if (one.number == record) name = fmt::format("record {} ({})", record, one.name);
  });
  return name;
}

std::string at_byte(std::size_t offset) { return fmt::format("byte {}", offset); }

// Tests of truncated files

TEST(Truncated, InEveryMarkerAndContent) {
  for (const std::string& file : good_files()) {
    for (const Frame& frame : frames_of(file))
      for (const auto& [part, begin, end] :
           {std::tuple("leading marker", frame.leading, frame.content),
            {"content", frame.content, frame.trailing},
            {"trailing marker", frame.trailing, frame.end()}})
        for (const std::size_t there : {std::size_t{0}, (end - begin) / 2, end - begin - 1}) {
          expect_refused(file.substr(0, begin + there),
                         {record_name(frame.record),
                          fmt::format("inside the {} that begins at byte {} ({} of its {} bytes",
                                      part, begin, there, end - begin),
                          "truncated"});
        }
    for (std::size_t length = 0; length < file.size(); ++length)
      EXPECT_FALSE(refusal(file.substr(0, length)).empty()) << length;
  }
}

// Tests of record markers

/// A subrecord of another length may be valid, but then the trailing marker is wrong.
TEST(Markers, WrongOnes) {
  for (const std::string& file : good_files())
    for (const Frame& frame : frames_of(file)) {
      SCOPED_TRACE(Message() << "record " << frame.record);
      const std::int32_t marker = int_at(file, frame.leading);
      for (const std::int32_t wrong :
           {marker + 1, marker - 1, -marker, 0, std::numeric_limits<std::int32_t>::max(),
            std::numeric_limits<std::int32_t>::min()})
        if (frame.leading > 0)
          expect_refused(with(file, frame.leading, wrong),
                         {record_name(frame.record), at_byte(frame.leading), "damaged"});
      if (frame.leading > 0 && file == good)
        expect_refused(
            with(good, frame.leading, marker + 8),
            {record_name(frame.record), fmt::format("leading marker at byte {}", frame.leading),
             fmt::format("announces {} bytes", marker + 8), fmt::format("= {} bytes", marker)});
      const std::int32_t trailing = int_at(file, frame.trailing);
      for (const std::int32_t wrong : {trailing + 1, -trailing, 0})
        expect_refused(
            with(file, frame.trailing, wrong),
            {record_name(frame.record), "markers disagree", at_byte(frame.trailing),
             fmt::format("must be {}", trailing), fmt::format("it is {}", wrong), "damaged"});
    }
}

TEST(OtherFiles, AreRefusedByTheirFirstMarker) {
  for (const std::int32_t marker : {24, -20, 0, 21, std::numeric_limits<std::int32_t>::min()})
    expect_refused(with(good, 0, marker),
                   {"record 1 ", fmt::format("at byte 0 announces {} bytes", marker)});
  for (const std::string& bytes :
       {std::string("version 1\nsize 12345\n"), std::string(100000, 'x'),
        std::string("\037\213\010 and so on"), std::string("\0\0\0\024\0\0\0\7", 8)})
    expect_refused(bytes, {"record 1 ", "at byte 0 announces", "compressed", "little endian"});
  expect_refused("", {"truncated"});
  for (const std::string& file : good_files()) {
    expect_refused(file + '\0', {"1 bytes follow the last record", at_byte(file.size())});
    expect_refused(file + file,
                   {fmt::format("{} bytes follow the last record", file.size()), "appended"});
  }
}

// Tests of dimensions

struct Dimension {
  const char* name;
  int record;
  std::size_t offset;  ///< offset of the value in the file
  int grows;           ///< first record that contradicts a larger value; 0: another dimension
};

const std::vector<Dimension> dimensions = {
    {"sig_ntband", 1, 4, 4},        {"gvec_ng", 1, 8, 7},
    {"ncoul", 1, 12, 10},           {"epsmpi_ngpown_max", 1, 16, 6},
    {"peinf_ntband_max", 1, 20, 3}, {"peinf_ntband_dist", 2, 32, 0},
    {"ngpown", 2, 44, 12},          {"ncouls", 2, 48, 8}};

TEST(Dimensions, ZeroNegativeAndLargerThanTheRecords) {
  for (const Dimension& dimension : dimensions)
    for (const std::int32_t wrong : {0, -1, std::numeric_limits<std::int32_t>::min()}) {
      const std::string record = record_name(dimension.record);
      expect_refused(with(good, dimension.offset, wrong),
                     {record, fmt::format("{} is {}", dimension.name, wrong), "at least 1"});
    }
  for (const Dimension& dimension : dimensions)
    if (dimension.grows > 0)
      expect_refused(with(good, dimension.offset, int_at(good, dimension.offset) + 1),
                     {record_name(dimension.grows), "dimensions in records 1 and 2"});
}

TEST(Dimensions, AbsurdOrContradictory) {
  const std::int32_t largest = std::numeric_limits<std::int32_t>::max();
  std::string all = good;
  for (const Dimension& dimension : dimensions) {
    expect_refused(with(good, dimension.offset, largest), {"record "});
    all = with(all, dimension.offset, largest);
  }
  expect_refused(all, {record_name(3), "= 8589934588 bytes"});
  const std::string product = with(with(good, 12, largest), 48, largest);  // grows ncoul, ncouls
  expect_refused(product, {record_name(8), "ncouls x peinf_ntband_max", "= 171798691760 bytes"});
  expect_refused(with(good, 32, 6), {record_name(2), "peinf_ntband_dist is 6", "peinf_ntband_max"});
  expect_refused(with(good, 44, 5), {record_name(2), "ngpown is 5", "epsmpi_ngpown_max"});
  expect_refused(with(good, 48, 7), {record_name(2), "ncouls is 7", "ncoul,"});
  const Frame indinv = frames_of(good).at(6);
  expect_refused(with(good, indinv.content, 12), {"record 7 (indinv)", "gvec_ng = 12", "11"});
}

// ---- Unusable numbers and indices, refused by name; padding may hold anything -------------------

std::string refusal_of(const Input& input) {
  return thrown<roofline::InputError>([&input] { validate(input, "here"); });
}

/// The element of indinv for G' number igp.
std::int32_t& place_of(Input& input, std::size_t igp) {
  return input.indinv[static_cast<std::size_t>(input.inv_igp_index[igp] - 1)];
}

/// Changes of the sample, and what is said of them; "fine" where the input may be used.
TEST(Validate, SaysWhatIsKept) {
  constexpr int lowest = std::numeric_limits<int>::min();
  const std::pair<const char*, std::function<void(Input&)>> changes[] = {
      {"nothing", [](Input&) {}},
      {"nstart 0", [](Input& i) { i.nstart = 0; }},
      {"nstart 1", [](Input& i) { i.nstart = 1; }},
      {"nend 2", [](Input& i) { i.nend = 2; }},
      {"nend 4", [](Input& i) { i.nend = 4; }},
      {"nend before nstart", [](Input& i) { i.nstart = 3, i.nend = 2; }},
      {"nvband -1", [](Input& i) { i.nvband = -1; }},
      {"nvband 0", [](Input& i) { i.nvband = 0; }},
      {"nvband 7", [](Input& i) { i.nvband = 7; }},
      {"nvband 8", [](Input& i) { i.nvband = 8; }},
      {"sexcut -4", [](Input& i) { i.sexcut = -4; }},
      {"first band 0", [](Input& i) { i.peinf_indext_dist[0] = 0; }},
      {"third band 8", [](Input& i) { i.peinf_indext_dist[2] = 8; }},
      {"third band lowest", [](Input& i) { i.peinf_indext_dist[2] = lowest; }},
      {"band of padding", [](Input& i) { i.peinf_indext_dist[3] = 12345; }},
      {"a band twice", [](Input& i) { i.peinf_indext_dist[2] = i.peinf_indext_dist[0]; }},
      {"first G' 0", [](Input& i) { i.inv_igp_index[0] = 0; }},
      {"second G' 12", [](Input& i) { i.inv_igp_index[1] = 12; }},
      {"G' of padding", [](Input& i) { i.inv_igp_index[2] = -12345; }},
      {"a G' twice", [](Input& i) { i.inv_igp_index[1] = i.inv_igp_index[0]; }},
      {"place -7", [](Input& i) { place_of(i, 0) = -7; }},
      {"place 0", [](Input& i) { place_of(i, 0) = 0; }},
      {"place 11", [](Input& i) { place_of(i, 0) = 11; }},
      {"place 1999999999", [](Input& i) { place_of(i, 0) = 1999999999; }},
      {"place that nobody uses", [](Input& i) { i.indinv[1] = lowest; }},
      {"two at one place", [](Input& i) { place_of(i, 0) = place_of(i, 1) = 1; }},
      {"1e300", [](Input& i) { i.wtilde_array[1].im = -1e300; }},
      {"5e-324", [](Input& i) { i.wtilde_array[1].im = 5e-324; }},
      {"vcoul nan", [](Input& i) { i.vcoul[2] = std::nan(""); }},
      {"e_lk inf", [](Input& i) { i.e_lk = std::numeric_limits<double>::infinity(); }}};
  std::string text;
  for (const auto& [what, change] : changes) {
    Input input = sample_input();
    change(input);
    const std::string said = refusal_of(input);
    text += fmt::format("{}: {}\n", what, said.empty() ? "fine" : said);
    EXPECT_EQ(refusal(bytes_of(input)).substr(std::min<std::size_t>(said.size(), 12)),
              said.substr(std::min<std::size_t>(said.size(), 6)))
        << "and the same of its file";
  }
  expect_kept("data/refusals.txt", text);
}

// The real numbers of a record's item.
template <class Item>
void each_number(Item&&, const std::function<void(double&)>& /*visit*/) {}
void each_number(double& number, const std::function<void(double&)>& visit) { visit(number); }
void each_number(std::array<Complex, 3>& numbers, const std::function<void(double&)>& visit) {
  for (Complex& one : numbers) visit(one.re), visit(one.im);
}
template <class Vector>
void each_number(ArrayItem<Vector> item, const std::function<void(double&)>& visit) {
  using Element = typename Vector::value_type;
  for (Element& one : item.values)
    if constexpr (std::is_same_v<Element, double>)
      visit(one);
    else if constexpr (std::is_same_v<Element, Complex>)
      visit(one.re), visit(one.im);
}

TEST(Finite, EveryNumber) {
  using Limits = std::numeric_limits<double>;
  Input input = sample_input();
  int numbers = 0;
  for_each_record(input, [&](const Record& record, auto&&... items) {
    const auto spoil = [&](double& number) {
      for (const double bad : {Limits::quiet_NaN(), Limits::signaling_NaN(), -Limits::infinity()}) {
        const double right = std::exchange(number, bad);
        EXPECT_TRUE(contains_all(refusal(bytes_of(input)), {record_name(record.number), " is "}));
        number = right;
      }
      ++numbers;
    };
    (each_number(items, spoil), ...);
  });
  EXPECT_GT(numbers, 100);
}

TEST(Sizes, EveryArray) {
  const std::pair<const char*, void (*)(Input&)> shorter[] = {
      {"record 3", [](Input& i) { i.peinf_indext_dist.pop_back(); }},
      {"record 4", [](Input& i) { i.wfnkq_ekq.pop_back(); }},
      {"record 7", [](Input& i) { i.indinv.pop_back(); }},
      {"record 8", [](Input& i) { i.aqsmtemp.pop_back(); }},
      {"record 13", [](Input& i) { i.I_eps_array.clear(); }},
      {"record 14", [](Input& i) { i.aqsntemp.push_back({}); }}};
  for (const auto& [record, spoil] : shorter) {
    Input input = sample_input();
    spoil(input);
    EXPECT_TRUE(contains_all(refusal_of(input), {record, "but the dimensions demand"}));
  }
}

}  // namespace
}  // namespace gpp::test
