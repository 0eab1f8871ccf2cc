// The kernels that a test program knows: gpp, and those of examples/.
#include "examples/epsilon/kernel.h"
#include "examples/nbody/kernel.h"
#include "examples/smith_waterman/kernel.h"
#include "examples/stream/kernel.h"
#include "examples/toys/kernel.h"
#include "examples/transpose/kernel.h"
#include "gpp/study/kernel.h"

namespace gpp {
namespace {

[[maybe_unused]] const bool all_are_known = [] {
  for (const Kernel* kernel : std::initializer_list<const Kernel*>{
           &gpp_kernel(), &stream::example(), &toys::example(), &nbody::example(),
           &transpose::example(), &smith_waterman::example(), &epsilon::example()})
    know(*kernel);
  return true;
}();

}  // namespace
}  // namespace gpp
