// Loops found in machine code written by hand.
#include "roofline/machine_code/loops.h"
#include "tests/text.h"

namespace roofline::test {
namespace {

Instruction at(std::uint64_t address, const std::string& mnemonic,
               const std::string& operands = "") {
  Instruction one;
  one.address = address;
  one.mnemonic = mnemonic;
  one.operands = operands;
  return one;
}

TEST(Loops, AnInnerLoopTakesItsInstructionsFromTheOuterOne) {
  const std::vector<Instruction> code = {
      at(0, "xor"),       // before all
      at(1, "mov"),       // outer
      at(2, "vmulsd"),    // inner
      at(3, "jne", "2"),  // inner
      at(4, "add"),       // outer
      at(5, "jne", "1"),  // outer
      at(6, "ret"),       // behind
  };
  const LoopNest nest = loops_of(code);
  ASSERT_EQ(nest.loops.size(), 2u);
  EXPECT_EQ(nest.innermost[0], LoopNest::none);
  EXPECT_EQ(nest.innermost[6], LoopNest::none);
  EXPECT_EQ(nest.loops[nest.innermost[2]], (Loop{2, 3}));
  EXPECT_EQ(nest.loops[nest.innermost[1]], (Loop{1, 4, 5}));
}

TEST(Loops, WhatACompilerMovedBehindTheEndBelongsToTheLoop) {
  const std::vector<Instruction> code = {
      at(0, "xor"),      at(1, "vucomisd"),                       // loop
      at(2, "jp", "6"),                                           // to the rare part
      at(3, "vaddsd"),                                            // loop
      at(4, "jne", "1"), at(5, "ret"),      at(6, "call", "99"),  // rare
      at(7, "jmp", "3"),  // back into the loop, and no loop of its own
  };
  const LoopNest nest = loops_of(code);
  EXPECT_EQ(only(nest.loops), (Loop{1, 2, 3, 4, 6, 7}));
}

TEST(Loops, JumpsThatLeaveTheFunctionMakeNone) {
  EXPECT_TRUE(loops_of({at(8, "jmp", "2"), at(9, "ret")}).loops.empty());
  EXPECT_TRUE(loops_of({at(8, "jmp", "*%rax")}).loops.empty());
  EXPECT_TRUE(loops_of({}).loops.empty());
}

TEST(Loops, ALoopOfOneInstruction) {
  const LoopNest nest = loops_of({at(0, "nop"), at(1, "jmp", "1")});
  EXPECT_EQ(only(nest.loops), Loop{1});
}

}  // namespace
}  // namespace roofline::test
