// Tests of line tables written byte by byte: each opcode, and every kind of damage.
#include "roofline/machine_code/line_table.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "cubin_builder.h"
#include "roofline/base/error.h"
#include "roofline/machine_code/cubin.h"
#include "tests/text.h"

namespace roofline {
namespace {

LineTable lines_of(const CubinBuilder& cubin) { return LineTable(cubin.bytes(), "a.cubin"); }

LineTable lines_of(const std::string& program, int version = 2) {
  CubinBuilder cubin;
  cubin.strings = std::string("inner\0outer\0", 12);
  return lines_of(cubin.add({version, program}));
}

/// "/a/one.cu:2 /a/one.cu:1 | function" of an instruction.
std::string shown(const LineTable& table, std::uint64_t offset, const char* function = "kernel") {
  const CodeOrigin origin = table.origin(function, offset);
  std::string text;
  for (const auto& [file, line] : origin.places) text += file + ':' + std::to_string(line) + ' ';
  return text + "| " + origin.function;
}

int line_at(const LineTable& table, std::uint64_t offset) {
  const CodeOrigin origin = table.origin("kernel", offset);
  return origin.places.empty() ? -1 : origin.places.front().line;
}

/// The error for a file; empty if it is read.
std::string refusal(const std::string& bytes) {
  return gpp::test::thrown<InputError>([&] { LineTable(bytes, "a.cubin"); });
}

std::string refusal_of_program(const std::string& program) {
  return refusal(CubinBuilder().add({2, program}).bytes());
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_TRUE(gpp::test::contains(text, part));
}

/// One row for the next eight bytes, and the last row of a sequence.
const std::string one_row = line::copy() + line::advance(8), last_row = one_row + line::end();

class LineVersions : public testing::TestWithParam<int> {};

TEST_P(LineVersions, EveryOpcodeMovesTheRowsAsTheStandardSays) {
  const LineTable table =
      lines_of(line::address() + line::lines(9) + line::copy() +      // offset 0: line 10
                   line::special(2, 3) +                              // offset 2: line 13
                   line::special(0, -4) +                             // offset 2: line 9
                   line::extended(0x80, "abc") + little(0, 2) +       // an unknown opcode
                   line::column(300) + "\6\7" + line::advance(200) +  // opcodes without a row
                   line::lines(-8) + line::copy() +                   // offset 202: line 1
                   line::const_add() + line::lines(499) + line::copy() + line::fixed_advance(20) +
                   line::lines(1) + line::copy() + line::advance(10) + line::end(),
               GetParam());
  const std::pair<std::uint64_t, int> lines[] = {
      {0, 10},    {1, 10},    {2, 9},                  // with equal offsets, the later row counts
      {201, 9},   {202, 1},   {218, 1},   {219, 500},  // const_add advances by (255 - 10) / 14
      {238, 500}, {239, 501}, {248, 501}, {249, -1}};  // past the end of the code
  for (const auto& [offset, line] : lines) EXPECT_EQ(line_at(table, offset), line) << offset;
  EXPECT_EQ(table.problem(), "");
}

INSTANTIATE_TEST_SUITE_P(Dwarf, LineVersions, testing::Values(2, 3, 4));

TEST(LineTable, FoldersAndFilesAreJoined) {
  std::string program = line::address();
  for (const int number : {1, 2, 3, 4, 5, 0})
    program += line::file(number) + line::copy() + line::advance(1);
  const LineTable table = lines_of(program + line::end());
  std::uint64_t offset = 0;
  for (const char* file : {"/a/one.cu", "b/two.h", "three.h", "/four.h", "", ""})
    EXPECT_EQ(shown(table, offset++), std::string(file) + ":1 | kernel");
}

TEST(LineTable, CallersAreCountedInTheirOwnSequence) {
  const std::string nested = line::copy() + line::call(1, 6) + line::file(2) + line::lines(4) +
                             line::copy() + line::call(2, 0) + line::lines(4) + line::copy() +
                             line::advance(8) + line::call(0, 0) + last_row;
  CubinBuilder cubin;
  cubin.strings = std::string("inner\0outer\0", 12);
  cubin.symbols.push_back({"second", 0x40, 0x40, 6});
  cubin.add({2, line::address() + nested + line::address() + line::lines(100) + nested});
  cubin.relocations[1].symbol = 2;
  const LineTable table = lines_of(cubin);
  EXPECT_EQ(shown(table, 3), "b/two.h:9 b/two.h:5 /a/one.cu:1 | inner");
  EXPECT_EQ(shown(table, 3, "second"), "b/two.h:109 b/two.h:105 /a/one.cu:101 | inner");
  EXPECT_EQ(shown(table, 8, "second"), "b/two.h:109 | second");
}

TEST(LineTable, ChainsOf256PlacesAreWholeAndThoseThatGoOnOrRoundAreCut) {
  std::string program = line::address() + line::copy();
  for (int row = 1; row < 260; ++row)
    program += line::fixed_advance(row >= 250) + line::call(row, 0) + line::copy();
  const LineTable table = lines_of(program + line::advance(8) + line::end());
  EXPECT_EQ(table.origin("kernel", 6).places.size(), 256u);
  EXPECT_EQ(shown(table, 7), "/a/one.cu:1 | inner");
  for (const auto& [first, second] : {std::pair(1, 1), {2, 1}, {3, 1}, {1 << 20, 1}})
    EXPECT_EQ(shown(lines_of(line::address() + line::call(first, 6) + one_row +
                             line::call(second, 6) + last_row),
                    0),
              "/a/one.cu:1 | outer")
        << first;
}

// nvlink joins the .debug_str of several sources without adjusting offsets into them.
TEST(LineTable, NamesAreToldOfTheFirstUnitAloneAndNoneThatLieOutside) {
  const auto called = [](std::uint64_t name) {
    return line::address() + line::copy() + line::call(1, name) + last_row;
  };
  CubinBuilder cubin;
  cubin.strings = zero_ended("inner");
  cubin.symbols.push_back({"second", 0, 8, 6});
  cubin.add({2, called(0)}).add({2, called(0)});
  cubin.relocations[1].symbol = 2;
  EXPECT_EQ(shown(lines_of(cubin), 0), "/a/one.cu:1 /a/one.cu:1 | inner");
  EXPECT_EQ(shown(lines_of(cubin), 0, "second"), "/a/one.cu:1 /a/one.cu:1 | second");
  for (const std::uint64_t name : {std::uint64_t{12}, std::uint64_t{1} << 40})
    EXPECT_EQ(shown(lines_of(called(name)), 0), "/a/one.cu:1 /a/one.cu:1 | kernel");
}

TEST(LineTable, BothKindsOfRelocationsMoveASequence) {
  for (const bool addends : {true, false}) {
    CubinBuilder cubin;
    cubin.add({2, line::address() + last_row});
    cubin.addends = addends;
    cubin.relocations[0].addend = 0x20;
    for (const auto& [offset, number] : {std::pair(0x1f, -1), {0x20, 1}, {0x28, -1}})
      EXPECT_EQ(line_at(lines_of(cubin), offset), number) << addends;
  }
  EXPECT_EQ(line_at(lines_of(line::address() + line::lines(-1) + last_row), 0), -1)
      << "line 0 is none";
}

TEST(LineTable, AFunctionHasTheLinesWithinItsOwnBounds) {
  CubinBuilder cubin;
  cubin.symbols = {{"kernel", 0x10, 0x10}, {"alias", 0x10, 0x10}, {"elsewhere", 0, 0x40, 8}};
  cubin.add({2, line::address() + line::copy() + line::advance(0x40) + line::end()});
  cubin.relocations[0].addend = ~std::uint64_t{0xf};  // moves back to the section's start
  const LineTable table = lines_of(cubin);
  EXPECT_EQ(shown(table, 0), "/a/one.cu:1 | kernel");
  EXPECT_EQ(shown(table, 0xf, "alias"), "/a/one.cu:1 | alias");
  for (const std::uint64_t offset : {std::uint64_t{0x10}, ~std::uint64_t{0xf}, ~std::uint64_t{7}})
    EXPECT_EQ(shown(table, offset), "| kernel") << offset;
  EXPECT_EQ(shown(table, 0, "elsewhere"), "| elsewhere");
}

/// A kernel of 0x100 bytes with rows at 0 and 0x40, and a symbol from 0x80 on.
LineTable with_inner(const std::string& symbol, bool own_row) {
  CubinBuilder cubin;
  cubin.symbols.push_back({symbol, 0x80, 0x40});
  cubin.add({2, line::address() + line::copy() + line::advance(0x40) + line::lines(1) +
                    line::copy() + line::advance(0x40) + line::lines(5) +
                    (own_row ? line::copy() : "") + line::advance(0x80) + line::end()});
  return lines_of(cubin);
}

TEST(LineTable, WhatLiesBehindAKernelHasItsOwnLinesOrIsAHelper) {
  for (const bool own_row : {true, false}) {
    const LineTable table = with_inner("$__internal_3_$__cuda_sm20_rem_s64", own_row);
    EXPECT_EQ(shown(table, 0x7f), "/a/one.cu:2 | kernel");
    for (const std::uint64_t offset : {0x80, 0xbf})
      EXPECT_EQ(shown(table, offset), "| remainder") << "no part of the last line";
    EXPECT_EQ(line_at(table, 0xc0), own_row ? 7 : 2);
  }
  const LineTable lines = with_inner("$kernel$_Z4awaydd", true);
  EXPECT_EQ(shown(lines, 0x80), "/a/one.cu:7 | _Z4awaydd");
  EXPECT_EQ(lines.origin("$kernel$_Z4awaydd", 0).places.size(), 1u);
  EXPECT_EQ(shown(with_inner("$kernel$_Z4awaydd", false), 0x80), "| _Z4awaydd");
}

TEST(LineTable, HelpersHaveNamesForPeople) {
  const std::pair<const char*, const char*> names[] = {
      {"$__internal_0_$__cuda_sm20_div_rn_f64_full", "division"},
      {"$__internal_9_$__cuda_sm3x_div_rn_noftz_f32_slowpath", "division"},
      {"$__internal_1_$__cuda_sm20_dblrcp_rn_slowpath_v3", "reciprocal"},
      {"$__internal_4_$__cuda_sm20_dsqrt_rn_f64_mediumpath_v1", "square root"},
      {"$__internal_15_$__cuda_sm20_drsqrt_f64_slowpath_v2", "reciprocal square root"},
      {"__cuda_sm20_rem_u64", "remainder"},
      {"$_Z4kpowPdd$__internal_accurate_pow", "power"},
      {"$_Z4kpowPdd$__internal_trig_reduction_slowpathd", "argument reduction"},
      {"$__internal_0_$__cuda_sm70_warpsync", "__cuda_sm70_warpsync"}};
  for (const auto& [symbol, name] : names) EXPECT_EQ(helper_name(symbol), name);
  for (const char* other : {"_Z3divdd", "$_Z1kv$my_div", "$", "$_Z1kv$"})
    EXPECT_EQ(helper_name(other), "");
}

TEST(LineTable, ACubinWithoutLinesSaysHowToGetThem) {
  CubinBuilder cubin;
  cubin.symbols.push_back({"$__internal_0_$__cuda_sm20_div_u64", 0x80, 0x80});
  const LineTable table = lines_of(cubin);
  expect_part(table.problem(), "-lineinfo");
  EXPECT_EQ(shown(table, 0), "| kernel");
  EXPECT_EQ(shown(table, 0x80), "| division");
}

TEST(LineTable, WhatIsPassedOverIsAProblem) {
  const std::string program = line::address() + last_row;
  for (const int version : {0, 1, 5, 6}) {
    const LineTable table = lines_of(CubinBuilder().add({version, program}).add({2, program}));
    expect_part(table.problem(), "DWARF version " + std::to_string(version));
    EXPECT_EQ(line_at(table, 0), 1);
  }
}

TEST(LineTable, OtherFilesAreRefusedWithWhatToDo) {
  const std::string good = CubinBuilder().bytes();
  EXPECT_EQ(refusal(good), "");
  const auto spoilt = [&good](std::size_t at, const std::string& bytes) {
    return std::string(good).replace(at, bytes.size(), bytes);
  };
  const std::pair<std::string, const char*> files[] = {
      {"", "no ELF file"},
      {"// a source", "nvcc -cubin -lineinfo"},
      {"\x50\xed\x55\xba\1", "fatbinary"},
      {spoilt(4, "\1"), "64-bit"},
      {spoilt(5, "\2"), "little-endian"},
      {spoilt(18, little(62, 2)), "another machine"},
      {spoilt(62, little(9, 2)), "table of sections"},
      {spoilt(60, little(0xfeff, 2)), "the file ends at byte"}};
  for (const auto& [bytes, part] : files) expect_part(refusal(bytes), part);
}

TEST(LineTable, CountsAndPlacesBeyondEveryBoundAreRefused) {
  const std::string begin = line::address() + line::copy(), two = line::special(2, 0);
  const std::string huge(9, '\xff'), most(1 << 22, '\1');
  const std::pair<std::string, const char*> programs[] = {
      {begin + "\3" + huge + "\xff\1", "64 bits"},
      {begin + "\2" + huge + "\xff\1", "64 bits"},
      {begin + little(0, 1) + huge + "\1", "cut off"},
      {begin + little(3, 1) + uleb(0x3fffffffff) + line::copy(), "absurd"},
      {begin + line::lines(-5) + line::copy(), "absurd"},
      {begin + two + "\2" + huge + "\1" + line::copy(), "order of the code"},
      {begin + two + "\2" + huge + "\1" + line::end(), "order of the code"},
      {begin, "stops within"},
      {line::extended(0x90, "\xff"), "cut off"},
      {line::address() + most + "\1" + line::end(), "more lines"}};
  for (const auto& [program, part] : programs) expect_part(refusal_of_program(program), part);
  EXPECT_EQ(refusal_of_program(line::address() + most + line::end()), "");
  const UnitBuilder half{2, line::address() + most.substr(1 << 21) + line::end()};
  expect_part(refusal(CubinBuilder().add(half).add(half).add(half).bytes()), "more lines");
  for (const auto& [range, base] : {std::pair(0, 10), {14, 0}}) {
    UnitBuilder unit;
    unit.line_range = range;
    unit.opcode_base = base;
    expect_part(refusal(CubinBuilder().add(unit).bytes()), "opcodes have no meaning");
  }
}

TEST(LineTable, RelocationsToNowhereAndRowsOfTwoFunctionsAreRefused) {
  CubinBuilder cubin, other;
  cubin.add({2, line::address() + line::copy() + line::end()});
  cubin.relocations[0].symbol = 1 << 20;
  expect_part(refusal(cubin.bytes()), "the file ends at byte");
  other.add({2, line::address() + line::copy() + line::address() + line::end()});
  other.relocations.pop_back();
  expect_part(refusal(other.bytes()), "into another");
}

/// A small cubin with all features, and a function that queries everything.
std::string whole_cubin() {
  CubinBuilder cubin;
  cubin.strings = std::string("inner\0outer\0", 12);
  cubin.symbols.push_back({"$kernel$__cuda_sm20_div_u64", 0x40, 0x20});
  cubin.add({4, line::address() + line::copy() + line::call(1, 6) + line::file(2) +
                    line::special(3, 2) + line::call(2, 0) + line::special(0, 2) +
                    line::const_add() + line::fixed_advance(4) + line::copy() + line::end()});
  return cubin.bytes();
}

/// Reads a copy at the end of its memory, so that sanitizers detect overruns.
bool survives(const std::string& bytes) {
  const auto exact = std::make_unique<char[]>(bytes.size() + 1);
  std::memcpy(exact.get(), bytes.data(), bytes.size());
  try {
    const LineTable table({exact.get(), bytes.size()}, "a.cubin");
    for (std::uint64_t offset = 0; offset < 0x100; offset += 3)
      EXPECT_LE(table.origin("kernel", offset).places.size(), 256u);
    return true;
  } catch (const InputError& error) {
    expect_part(error.what(), "a.cubin: ");
    return false;
  }
}

TEST(LineTable, EveryPrefixIsRefusedAndNoByteMakesItCrash) {
  const std::string whole = whole_cubin();
  ASSERT_TRUE(survives(whole));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    EXPECT_FALSE(survives(whole.substr(0, at))) << at;
    for (const int value : {0x00, 0x01, 0x02, 0x09, 0x10, 0x40, 0x7f, 0x80, 0x90, 0xff}) {
      std::string spoilt = whole;
      spoilt[at] = static_cast<char>(value);
      survives(spoilt);
      for (std::size_t i = at; i < std::min(at + 8, whole.size()); ++i)
        spoilt[i] = static_cast<char>(value);
      survives(spoilt);
    }
  }
}

}  // namespace
}  // namespace roofline
