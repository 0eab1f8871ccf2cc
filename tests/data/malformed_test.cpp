// Tests of invalid files: each is refused with a message that names the fault, its place and a
// remedy, and without allocating more memory than the file itself needs.
#include <fmt/format.h>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <tuple>
#include <utility>

#include "data/gpp214_records.h"
#include "data/validate.h"
#include "roofline/base/error.h"
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
          if (begin + there == 0) continue;  // an empty file
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

/// A subrecord of another length may be valid, but then the trailing marker is wrong. What record 1
/// begins with tells other formats.
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
  for (const std::int32_t marker : {24, -20, 0, 21, std::numeric_limits<std::int32_t>::min()})
    expect_refused(with(good, 0, marker),
                   {"does not begin with the marker of record 1", fmt::format("are {}", marker)});
}

TEST(Markers, OfEightBytes) {
  std::string wide;
  for (const Frame& frame : frames_of(good)) {
    const std::int64_t marker = int_at(good, frame.leading);
    const std::string framing(reinterpret_cast<const char*>(&marker), sizeof(marker));
    wide += framing + good.substr(frame.content, frame.trailing - frame.content) + framing;
  }
  expect_refused(wide, {"record markers take 8 bytes", "-frecord-marker=8"});
  const std::string integers = with(std::string(48, '\1'), 0, std::int32_t{40});
  expect_refused(with(integers, 44, std::int32_t{40}), {"integers take 8 bytes"});
}

TEST(Markers, BigEndian) {
  std::string bytes = bytes_of(sample_input());
  for (const Frame& frame : frames_of(bytes)) {
    const std::size_t width = frame.record <= 3 ? 4 : 8;  // wide enough for the array's elements
    for (std::size_t at = frame.content; at + width <= frame.trailing; at += width)
      std::reverse(&bytes[at], &bytes[at] + width);
    std::reverse(&bytes[frame.leading], &bytes[frame.leading] + 4);
    std::reverse(&bytes[frame.trailing], &bytes[frame.trailing] + 4);
  }
  expect_refused(bytes, {"big endian"});
  std::string wide(64, '\0');
  wide[7] = 20;
  expect_refused(wide, {"big endian"});
}

// Tests of other file formats

TEST(OtherFiles, AreToldByWhatTheyBeginAndEndWith) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> files = {
      {"", {"the file is empty"}},
      {"version 1\nsize 12345\n", {"text file"}},
      {"x", {"text file"}},
      {std::string(100000, 'x'), {"text file"}},
      {"Gr\303\274\303\237e", {"text file"}},
      {"\037\213\010 and so on", {"compressed", "gunzip"}},
      {"BZh91AY", {"compressed", "bunzip2"}},
      {"\3757zXZ", {"compressed", "unxz"}},
      {"\050\265\057\375....", {"compressed", "unzstd"}},
      {"PK\003\004....", {"compressed", "unzip"}},
      {"\177ELF\002\001\001 and so on", {"not a gpp214 file"}}};
  for (const auto& [bytes, parts] : files) expect_refused(bytes, parts);
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

void expect_refused(const Input& input, const std::vector<std::string>& parts) {
  const std::string message = refusal_of(input);
  EXPECT_TRUE(message.starts_with("here: ")) << '"' << message << '"';
  EXPECT_TRUE(contains_all(message, parts));
  // Reading the input from a file must give the same error.
  EXPECT_TRUE(contains(refusal(bytes_of(input)), parts.front()));
}

/// The sample with one change.
Input spoiled(const std::function<void(Input&)>& spoil) {
  Input input = sample_input();
  spoil(input);
  return input;
}

/// The element of indinv for G' number igp.
std::size_t used(const Input& input, std::size_t igp = 0) {
  return static_cast<std::size_t>(input.inv_igp_index[igp] - 1);
}

TEST(Validate, FrequenciesOccupiedBandsAndCutoff) {
  EXPECT_EQ(refusal_of(sample_input()), "");
  for (const auto& [nstart, nend] : {std::pair{0, 3}, {2, 4}, {3, 2}, {-1, -1}, {4, 4}}) {
    SCOPED_TRACE(nstart);
    expect_refused(spoiled([first = nstart, last = nend](Input& i) {
                     i.nstart = first;
                     i.nend = last;
                   }),
                   {"record 5 (frequencies)", fmt::format("nstart is {}", nstart),
                    fmt::format("nend {}", nend)});
  }
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.nstart = 1; })), "");
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.nend = 2; })), "");
  for (const int nvband : {-1, 8})
    expect_refused(spoiled([&](Input& i) { i.nvband = nvband; }),
                   {"record 9 (occupations)", fmt::format("nvband is {}", nvband)});
  for (const int nvband : {0, 7})
    EXPECT_EQ(refusal_of(spoiled([&](Input& i) { i.nvband = nvband; })), "");
  expect_refused(spoiled([](Input& i) { i.sexcut = -4; }), {"record 11 (limits)", "sexcut is -4"});
}

TEST(Validate, IndicesOfBandsAndOwnVectors) {
  for (const int band : {0, -1, 8, std::numeric_limits<int>::min()})
    for (const std::size_t n1 : {0u, 2u})
      expect_refused(spoiled([&](Input& i) { i.peinf_indext_dist[n1] = band; }),
                     {"record 3 (peinf_indext_dist)", fmt::format("({}) is {}", n1 + 1, band),
                      "1..sig_ntband = 1..7"});
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.peinf_indext_dist[3] = 12345; })), "");
  for (const int g : {0, -1, 12})
    for (const std::size_t igp : {0u, 1u})
      expect_refused(spoiled([&](Input& i) { i.inv_igp_index[igp] = g; }),
                     {"record 6 (inv_igp_index)", fmt::format("({}) is {}", igp + 1, g),
                      "1..gvec_ng = 1..11"});
  EXPECT_EQ(refusal_of(spoiled([](Input& i) { i.inv_igp_index[2] = -12345; })), "");
}

TEST(Validate, PlacesOfTheGInUse) {
  for (const int g : {-7, 1999999999})
    expect_refused(spoiled([g](Input& i) { i.indinv[used(i)] = g; }),
                   {"record 7 (indinv)", fmt::format("is {}", g), "0..11"});
  for (const int g : {0, 11})
    EXPECT_EQ(refusal_of(spoiled([g](Input& i) { i.indinv[used(i)] = g; })), "") << g;
  for (const int g : {0, -5, 4, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()})
    EXPECT_EQ(refusal_of(spoiled([g](Input& i) { i.indinv[1] = g; })), "") << g;
}

TEST(Validate, EachBandAndEachGOnce) {
  expect_refused(spoiled([](Input& i) { i.peinf_indext_dist[2] = i.peinf_indext_dist[0]; }),
                 {"record 3 (peinf_indext_dist)", "(1) and peinf_indext_dist(3) are both"});
  expect_refused(spoiled([](Input& i) { i.inv_igp_index[1] = i.inv_igp_index[0]; }),
                 {"record 6 (inv_igp_index)", "(1) and inv_igp_index(2) are both"});
  expect_refused(spoiled([](Input& i) {
                   i.indinv[used(i, 0)] = 1;
                   i.indinv[used(i, 1)] = 1;
                 }),
                 {"record 7 (indinv)", "are both 1", "two G' are the same G vector"});
}

/// A number of an input, and its name in messages.
struct Number {
  std::string record, name;
  double* value;
};

/// Every real number of every record.
std::vector<Number> numbers_of(Input& i) {
  std::vector<Number> all = {{"record 5 (frequencies)", "sig_dw", &i.sig_dw},
                             {"record 5 (frequencies)", "sig_gamma", &i.sig_gamma},
                             {"record 5 (frequencies)", "e_lk", &i.e_lk},
                             {"record 9 (occupations)", "tol", &i.tol},
                             {"record 9 (occupations)", "efermi", &i.efermi},
                             {"record 11 (limits)", "sexcut", &i.sexcut},
                             {"record 11 (limits)", "limittwo", &i.limittwo},
                             {"record 11 (limits)", "limitone", &i.limitone}};
  const auto add = [&all](const char* record, const std::string& index, Complex& element) {
    for (double* part : {&element.re, &element.im}) all.push_back({record, index, part});
  };
  for (std::size_t at = 0; at < i.wfnkq_ekq.size(); ++at)
    all.push_back({"record 4 (wfnkq_ekq)", fmt::format("({})", at + 1), &i.wfnkq_ekq[at]});
  for (std::size_t at = 0; at < i.vcoul.size(); ++at)
    all.push_back({"record 10 (vcoul)", fmt::format("({})", at + 1), &i.vcoul[at]});
  for (const auto& [record, matrix] : {std::pair("record 8 (aqsmtemp)", &i.aqsmtemp),
                                       {"record 12 (wtilde_array)", &i.wtilde_array},
                                       {"record 13 (I_eps_array)", &i.I_eps_array},
                                       {"record 14 (aqsntemp)", &i.aqsntemp}})
    for (std::size_t at = 0; at < matrix->size(); ++at)  // matrix with 3 rows
      add(record, fmt::format("({}, {})", at % 3 + 1, at / 3 + 1), (*matrix)[at]);
  for (const auto& [record, sums] : {std::pair("record 15 (asxtemp)", &i.asxtemp),
                                     {"record 16 (achtemp)", &i.achtemp},
                                     {"record 17 (asxtempref)", &i.asxtempref},
                                     {"record 18 (achtempref)", &i.achtempref}})
    for (std::size_t at = 0; at < 3; ++at) add(record, fmt::format("({})", at + 1), (*sums)[at]);
  return all;
}

TEST(Finite, EveryNumber) {
  using Limits = std::numeric_limits<double>;
  Input input = sample_input();
  for (const Number& number : numbers_of(input))
    for (const auto& [text, value] : {std::pair("nan", Limits::quiet_NaN()),
                                      {"nan", Limits::signaling_NaN()},
                                      {"inf", Limits::infinity()},
                                      {"-inf", -Limits::infinity()}}) {
      const double right = std::exchange(*number.value, value);
      expect_refused(input, {number.record, number.name + " is ", text});
      *number.value = right;
    }
  for (const double value : {1e300, -1e300, 5e-324, -0.0, 1e12})
    EXPECT_EQ(refusal_of(spoiled([&](Input& i) { i.wtilde_array[1].im = value; })), "") << value;
}

TEST(Sizes, EveryArray) {
  const std::vector<std::pair<const char*, std::function<void(Input&)>>> shorter = {
      {"record 3", [](Input& i) { i.peinf_indext_dist.pop_back(); }},
      {"record 4", [](Input& i) { i.wfnkq_ekq.pop_back(); }},
      {"record 6", [](Input& i) { i.inv_igp_index.pop_back(); }},
      {"record 7", [](Input& i) { i.indinv.pop_back(); }},
      {"record 8", [](Input& i) { i.aqsmtemp.pop_back(); }},
      {"record 10", [](Input& i) { i.vcoul.pop_back(); }},
      {"record 12", [](Input& i) { i.wtilde_array.pop_back(); }},
      {"record 13", [](Input& i) { i.I_eps_array.clear(); }},
      {"record 14", [](Input& i) { i.aqsntemp.push_back({}); }}};
  for (const auto& [record, spoil] : shorter) {
    EXPECT_TRUE(
        contains_all(refusal_of(spoiled(spoil)), {record, "elements, but the dimensions demand"}));
  }
}

}  // namespace
}  // namespace gpp::test
