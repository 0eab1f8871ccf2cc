// The program of a kernel in this folder, which the build names.
#include "cli/commands.h"
#include GPP_EXAMPLE_HEADER

int main(int argc, char** argv) { return gpp::study_main(gpp::GPP_EXAMPLE::example(), argc, argv); }
