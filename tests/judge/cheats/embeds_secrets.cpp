// Cheat: makes the assembler embed a file of the machine in the library.
//
// Stopped by: the compiler's sandbox.
// Outcome: not compiled.

#include "gpp/variant.h"

asm(".section .rodata\nsecret: .incbin \"/etc/passwd\"\n.text");

namespace gpp::omp {

Sums embeds_secrets(const Problem& /*problem*/) { return {}; }
GPP_VARIANT(embeds_secrets);

}  // namespace gpp::omp
