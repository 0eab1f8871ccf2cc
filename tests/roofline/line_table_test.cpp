// Tests of the lines of kept cubins (cubins/linked.cu tells how they were made), and of every kind
// of damage to them.
#include "roofline/machine_code/line_table.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "roofline/base/text.h"
#include "roofline/machine_code/cubin.h"
#include "tests/text.h"

namespace roofline::test::cubins {
namespace {

std::string cubin(const char* name) {
  return file_text(GPP_SOURCE_DIR "/tests/roofline/cubins/" + std::string(name) + ".cubin");
}

/// The error for a file; empty if it is read.
std::string refusal(const std::string& bytes) {
  return thrown<InputError>([&] { LineTable(bytes, "a.cubin"); });
}

/// "line_table_sample.h:8 line_table_sample.cu:13 | inner_quotient" of an instruction.
std::string shown(const CodeOrigin& origin) {
  std::string text;
  for (const auto& [file, line] : origin.places)
    text += file.substr(file.rfind('/') + 1) + ":" + std::to_string(line) + " ";
  return text + "| " + origin.function;
}

/// Cubins of two architectures, whose relocations differ, and one of two linked sources: chains
/// through inlined calls, functions copied behind a kernel, and the compiler's helpers there.
TEST(LineTable, OfKeptCubinsIsAsItIsKept) {
  std::string text;
  for (const char* name : {"sample_80", "sample_90", "linked_90"}) {
    const std::string bytes = cubin(name);
    const LineTable table(bytes, name);
    EXPECT_EQ(table.problem(), "");
    for (const CodeFunction& one : read_cubin(bytes, name).functions) {
      text += fmt::format("{} {}, {} bytes\n", name, one.name, one.size);
      std::string before;
      for (std::uint64_t offset = 0; offset <= one.size; offset += 16) {
        const std::string origin = shown(table.origin(std::string(one.name), offset));
        if (origin != before) text += fmt::format("{:6} {}\n", offset, origin);
        before = origin;
      }
    }
    for (const char* nowhere : {"elsewhere", ""})
      EXPECT_EQ(shown(table.origin(nowhere, 0)), "| " + std::string(nowhere));
    EXPECT_EQ(shown(table.origin("strided", ~std::uint64_t{15})), "| strided");
  }
  expect_kept("roofline/cubins/lines.txt", text);
}

TEST(LineTable, HelpersHaveNamesForPeople) {
  const std::pair<const char*, const char*> names[] = {
      {"$__internal_0_$__cuda_sm20_div_rn_f64_full", "division"},
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

std::string little(std::uint64_t value, int bytes) {
  return {reinterpret_cast<const char*>(&value), static_cast<std::size_t>(bytes)};
}

std::size_t begin_of_lines(const std::string& bytes) { return read_cubin(bytes, "").lines.at(); }

TEST(LineTable, WhatHasNoLinesSaysHowToGetThem) {
  std::string bytes = cubin("sample_90");
  const std::string name("\0.debug_line\0", 13);
  bytes.replace(bytes.find(name) + 1, 6, ".other");
  const LineTable without(bytes, "a.cubin");
  EXPECT_TRUE(contains(without.problem(), "no source lines in it: compile with nvcc -lineinfo"));
  EXPECT_EQ(shown(without.origin("strided", 0)), "| strided");
  EXPECT_EQ(shown(without.origin("strided", 1056)), "| division");
  for (const int version : {1, 5}) {
    bytes = cubin("linked_90");
    bytes.replace(begin_of_lines(bytes) + 4, 2, little(version, 2));
    EXPECT_TRUE(contains(refusal(bytes), "DWARF version " + std::to_string(version)));
  }
}

TEST(LineTable, OtherFilesAreRefusedWithWhatToDo) {
  const std::string good = cubin("sample_90");
  const auto spoilt = [&good](std::size_t at, const std::string& bytes) {
    return std::string(good).replace(at, bytes.size(), bytes);
  };
  const std::pair<std::string, const char*> files[] = {
      {"", "no 64-bit little-endian ELF file"},
      {"// a source", "nvcc -cubin -lineinfo"},
      {"\x50\xed\x55\xba\1", "fatbinary"},
      {spoilt(4, "\1"), "64-bit"},
      {spoilt(18, little(62, 2)), "for GPUs of NVIDIA"},
      {spoilt(62, little(0xffff, 2)), "table of sections"},
      {spoilt(60, little(0xfeff, 2)), "cut off"}};
  for (const auto& [bytes, part] : files) EXPECT_TRUE(contains(refusal(bytes), part));
}

/// The sample with another program of lines, after the header of its own; in it the byte `zero` is
/// 0.
std::string with_program(const std::string& program, int units = 1, std::size_t zero = 0) {
  std::string bytes = cubin("sample_90");
  const std::size_t begin = begin_of_lines(bytes);
  std::uint32_t header_bytes = 0;
  std::memcpy(&header_bytes, &bytes[begin + 6], 4);
  std::string header = bytes.substr(begin + 4, 6 + header_bytes), lines;
  if (zero > 0) header[zero] = '\0';
  for (; units > 0; --units) lines += little(header.size() + program.size(), 4) + header + program;
  for (std::size_t at = bytes.size() - 64; at > 64; at -= 8)
    if (bytes.substr(at + 24, 8) == little(begin, 8))  // of its section
      return bytes.replace(at + 24, 16, little(bytes.size(), 8) + little(lines.size(), 8)) + lines;
  throw std::runtime_error("no section of lines");
}

// The opcodes of DWARF: 1 is a row, 2 advances the place, 3 the line, 9 the place by two bytes;
// extended 1 ends a sequence, 2 sets the place, 0x90 is an inlined call.
const std::string begin = std::string("\0\x9\2", 3) + little(0, 8), row = "\1",
                  on = "\x9" + little(16, 2), end("\0\1\1", 3);

TEST(LineTable, ChainsOfCallsThatGoRoundOrNowhereAreCut) {
  const auto places = [](int second, int third) {
    std::string program = begin + row;
    for (const int caller : {second, third})
      program += std::string("\0\3\x90", 3) + little(caller, 1) + little(0, 1) + row;
    const LineTable table(with_program(program + on + end), "a.cubin");
    return std::max(table.origin("strided", 0).places.size(),
                    table.origin("second", 0).places.size());
  };
  EXPECT_EQ(places(1, 2), 3u);
  for (const auto& [second, third] : {std::pair(1, 3), {3, 2}, {1, 100}})
    EXPECT_EQ(places(second, third), 1u) << second << " " << third;
}

TEST(LineTable, CountsAndPlacesBeyondEveryBoundAreRefused) {
  const std::string huge(9, '\xff');
  const std::string most(1 << 22, '\1');
  EXPECT_EQ(refusal(with_program(begin + row + on + end)), "");
  const std::pair<std::string, const char*> programs[] = {
      {begin + row + "\3" + huge + "\xff\1", "64 bits"},
      {begin + row + '\0' + huge + "\1", "cut off"},
      {begin + row + "\3\xff\xff\xff\xff\xff\x7" + row, "absurd"},
      {begin + "\3\x7b" + row, "absurd"},
      {begin + on + row + "\2" + huge + "\1" + row, "order of the code"},
      {begin + on + row + "\2" + huge + "\1" + end, "order of the code"},
      {begin + row, "stop within"},
      {std::string("\0\2\x90\xff", 4), "cut off"},
      {begin + most + row + end, "more lines"}};
  for (const auto& [program, part] : programs)
    EXPECT_TRUE(contains(refusal(with_program(program)), part));
  EXPECT_EQ(refusal(with_program(begin + most + end)), "");
  EXPECT_TRUE(contains(refusal(with_program(begin + most.substr(1 << 21) + end, 3)), "more lines"));
  for (const std::size_t range_or_base : {9, 10})
    EXPECT_TRUE(contains(refusal(with_program("", 1, range_or_base)), "opcodes have no meaning"));
}

/// Reads a copy at the end of its memory, so that sanitizers detect overruns.
bool survives(const std::string& bytes) {
  const auto exact = std::make_unique<char[]>(bytes.size() + 1);
  std::memcpy(exact.get(), bytes.data(), bytes.size());
  try {
    const LineTable table({exact.get(), bytes.size()}, "a.cubin");
    for (std::uint64_t offset = 0; offset < 0xb00; offset += 48)
      for (const char* function : {"strided", "second"})
        EXPECT_LE(table.origin(function, offset).places.size(), 256u);
    return true;
  } catch (const InputError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("a.cubin: "));
    return false;
  }
}

TEST(LineTable, EveryPrefixIsRefusedAndNoByteMakesItCrash) {
  const std::string whole = cubin("sample_80");
  ASSERT_TRUE(survives(whole));
  std::uint64_t sections = 0;
  std::memcpy(&sections, &whole[40], 8);
  for (std::size_t length = 0; length < sections; length += 61)
    EXPECT_FALSE(survives(whole.substr(0, length))) << length;
  const auto spoil = [&whole](std::size_t from, std::size_t to, std::size_t step) {
    for (std::size_t at = from; at < std::min(to, whole.size() - 8); at += step)
      for (const char value : {'\0', '\1', '\x10', '\x7f', '\x90', '\xff'})
        for (const std::size_t count : {1, 8})
          survives(std::string(whole).replace(at, count, std::string(count, value)));
  };
  const CubinBytes lines = read_cubin(whole, "").lines;
  spoil(0, 64, 1);
  spoil(lines.at(), lines.at() + lines.rest().size(), 3);
  spoil(0, whole.size(), 97);
}

}  // namespace
}  // namespace roofline::test::cubins
