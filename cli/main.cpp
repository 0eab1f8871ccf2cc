#include "cli/command_line.h"
#include "runtimes/first_thread.h"

int main(int argc, char** argv) {
  gpp::free_first_thread();
  return gpp::run_command_line(argc, argv);
}
