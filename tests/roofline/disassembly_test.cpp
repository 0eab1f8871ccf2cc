// The output of objdump is read, and each instruction is classified.
#include "roofline/machine_code/disassembly.h"

#include <gtest/gtest.h>

namespace roofline {
namespace {

using Kind = FloatingPoint::Kind;

TEST(Disassembly, InstructionsCarryTheirPlaceAndTheirTarget) {
  const std::vector<Instruction> code = parse_objdump(
      "\n/tmp/a.o:     file format elf64-x86-64\n\n"
      "0000000000000010 <_Z1fPKd>:\n"
      "_Z1fPKd():\n"
      "/src/gpp/forms/power2.h:23 (discriminator 2)\n"
      "  10:\tvmulpd (%rax),%zmm1,%zmm2        # 40 <x>\n"
      "  16:\tcall   1a40 <hypot@plt>\n"
      "/src/variants/omp/v07_reciprocal.cpp:31\n"
      "  1b:\trep stos %al,%es:(%rdi)\n"
      "  1d:\tjne    10 <_Z1fPKd>\n"
      "not a line of it\n"
      "  zz:\tret\n");
  ASSERT_EQ(code.size(), 4u);
  EXPECT_EQ(code[0].address, 0x10u);
  EXPECT_EQ(code[0].mnemonic, "vmulpd");
  EXPECT_EQ(code[0].operands, "(%rax),%zmm1,%zmm2");
  EXPECT_EQ(code[0].file, "/src/gpp/forms/power2.h");
  EXPECT_EQ(code[0].line, 23);
  EXPECT_EQ(code[1].target, "hypot");
  EXPECT_EQ(code[2].mnemonic, "stos");
  EXPECT_EQ(code[2].line, 31);
  EXPECT_EQ(code[3].operands, "10");
}

TEST(Disassembly, OperationsByKindAndWidth) {
  const auto flop = [](const char* mnemonic, const char* operands) {
    return floating_point(mnemonic, operands).flop();
  };
  EXPECT_EQ(flop("vmulsd", "%xmm0,%xmm1,%xmm2"), 1);
  EXPECT_EQ(flop("vfmadd213pd", "%zmm0,%zmm1,%zmm2"), 16);
  EXPECT_EQ(flop("vfnmadd231ps", "%ymm0,%ymm1,%ymm2"), 16);
  EXPECT_EQ(flop("vfmaddsub132pd", "%ymm0,%ymm1,%ymm2"), 8);
  EXPECT_EQ(flop("addpd", "%xmm0,%xmm1"), 2);
  EXPECT_EQ(flop("vsubss", "%xmm0,%xmm1,%xmm2"), 1);
  EXPECT_EQ(floating_point("vdivpd", "%ymm0,%ymm1,%ymm2").kind, Kind::divide);
  EXPECT_EQ(floating_point("sqrtsd", "%xmm0,%xmm1").kind, Kind::square_root);
}

TEST(Disassembly, WhatMovesComparesOrConvertsIsNoOperation) {
  for (const char* other : {"vmovapd", "vcmppd", "vucomisd", "vcvtsi2sd", "vmaxpd", "vandpd", "add",
                            "sub", "imul", "div", "vpaddd", "vaddsubpdx", "vblendmpd", "subq"})
    EXPECT_EQ(floating_point(other, "%zmm0,%zmm1,%zmm2").kind, Kind::none) << other;
}

TEST(Disassembly, NamesForPeople) {
  EXPECT_EQ(readable("_ZN3gpp3omp6power2ERKNS_7ProblemE._omp_fn.0"), "gpp::omp::power2");
  EXPECT_EQ(readable("_ZN3gpp6divideIdEENS_4TermIT_EES2_"), "gpp::divide");
  EXPECT_EQ(readable("_ZNK3gpp5TermsclEi"), "gpp::Terms::operator()");
  EXPECT_EQ(readable("hypot"), "hypot");
  EXPECT_EQ(readable("_ZN12_GLOBAL__N_14workEv"), "work");
}

TEST(Disassembly, AProgramThatIsNoneIsAReason) {
  std::string problem;
  EXPECT_TRUE(functions_of("/dev/null", problem).empty());
  EXPECT_FALSE(problem.empty());
}

}  // namespace
}  // namespace roofline
