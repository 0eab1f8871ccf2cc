#include "cli/commands.h"
#include "examples/transpose/kernel.h"

int main(int argc, char** argv) {
  return gpp::study_main(gpp::transpose::transpose_kernel(), argc, argv);
}
