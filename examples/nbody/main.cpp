#include "cli/commands.h"
#include "examples/nbody/kernel.h"

int main(int argc, char** argv) { return gpp::study_main(gpp::nbody::nbody_kernel(), argc, argv); }
