#include "cli/commands.h"
#include "examples/epsilon/kernel.h"

int main(int argc, char** argv) {
  return gpp::study_main(gpp::epsilon::epsilon_kernel(), argc, argv);
}
