#include "cli/commands.h"
#include "examples/toys/kernel.h"

int main(int argc, char** argv) { return gpp::study_main(gpp::toys::toys_kernel(), argc, argv); }
