#include "cli/commands.h"
#include "harness/judge/player.h"
#include "harness/measure/worker.h"
#include "runtimes/threads.h"

int main(int argc, char** argv) {
  if (gpp::work_if_asked(argc, argv) || gpp::play_if_asked(argc, argv)) return 0;
  gpp::free_first_thread();
  return gpp::run_command_line(argc, argv);
}
