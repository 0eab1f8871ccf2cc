#include "cli/commands.h"
#include "examples/stream/kernel.h"

int main(int argc, char** argv) {
  return gpp::study_main(gpp::stream::stream_kernel(), argc, argv);
}
