#include "harness/commands/command_line.h"

int main(int argc, char** argv) { return gpp::run_command_line(argc, argv); }
