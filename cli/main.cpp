#include "cli/commands.h"
#include "gpp/study/kernel.h"

int main(int argc, char** argv) { return gpp::study_main(gpp::gpp_kernel(), argc, argv); }
