#include "cli/commands.h"
#include "examples/smith_waterman/kernel.h"

int main(int argc, char** argv) {
  return gpp::study_main(gpp::smith_waterman::smith_waterman_kernel(), argc, argv);
}
