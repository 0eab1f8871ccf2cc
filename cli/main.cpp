#include "cli/commands.h"
#include "runtimes/threads.h"

int main(int argc, char** argv) {
  gpp::free_first_thread();
  return gpp::run_command_line(argc, argv);
}
