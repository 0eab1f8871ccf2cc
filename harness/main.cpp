#include "harness/commands/command_line.h"
#include "variants/first_thread.h"

int main(int argc, char** argv) {
  gpp::free_first_thread();
  return gpp::run_command_line(argc, argv);
}
