// Compiled into each plug-in with kernels for CUDA, by way of an #include. These functions speak of
// the plug-in's own CUDA runtime, and take the place of the program's there.
#include "runtimes/cuda/describe.cu"
#include "runtimes/cuda/error.cu"

namespace gpp::cuda {

void detail::note_launch(const void* kernel, const Shape& shape) {
  note_launch_by(kernel, shape, &describe);
}

}  // namespace gpp::cuda
