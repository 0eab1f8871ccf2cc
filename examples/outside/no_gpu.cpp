#include "triad.h"

std::string triad_on_gpu() { return "this example was built without CUDA"; }
