// A plug-in with CUDA kernels includes this file. Its functions use the plug-in's own CUDA runtime
// and replace the program's.
#include "runtimes/cuda/describe.cu"
#include "runtimes/cuda/error.cu"

namespace gpp::cuda {

void detail::note_launch(const void* kernel, const Shape& shape) {
  note_launch_by(kernel, shape, &describe);
}

}  // namespace gpp::cuda
