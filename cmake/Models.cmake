# The programming models that this machine can compile. Each missing model has a reason with a
# remedy, which `gpp list` and `gpp doctor` show.

find_package(OpenMP REQUIRED COMPONENTS CXX)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Target regions run on host threads here, so g++'s offload is disabled. It would need a link-time
  # optimiser that is not installed everywhere.
  list(APPEND OpenMP_CXX_FLAGS -foffload=disable)
  target_compile_options(OpenMP::OpenMP_CXX INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-foffload=disable>)
  target_link_options(OpenMP::OpenMP_CXX INTERFACE -foffload=disable -fno-lto)
endif()

set(GPP_CUDA "AUTO" CACHE STRING "Build the CUDA models: AUTO (where there is a GPU), ON or OFF")
file(GLOB gpp_gpus /dev/nvidia[0-9]* /dev/dxg)
set(ROOFLINE_CUDA_MISSING "")
if(GPP_CUDA STREQUAL "OFF")
  set(ROOFLINE_CUDA_MISSING "switched off when this program was built (GPP_CUDA=OFF)")
elseif(GPP_SANITIZE)
  set(ROOFLINE_CUDA_MISSING
    "left out of builds with sanitizers; use compute-sanitizer on a normal build")
elseif(GPP_CUDA STREQUAL "AUTO" AND NOT gpp_gpus)
  set(ROOFLINE_CUDA_MISSING
    "left out of this build, because no NVIDIA GPU is here; on a login node: GPP_CUDA=ON scripts/study")
endif()
set(ROOFLINE_CUDA ${GPP_CUDA})
include(${CMAKE_SOURCE_DIR}/roofline/cmake/Cuda.cmake)
set(GPP_CUDA_MISSING "${ROOFLINE_CUDA_MISSING}" CACHE INTERNAL "Why there is no CUDA; scripts/study says it")

# Sets <out> to nvcc's arguments for the GPU architectures.
function(gpp_cuda_devices out)
  set(architectures ${CMAKE_CUDA_ARCHITECTURES})
  if(architectures STREQUAL "native" AND CMAKE_CUDA_ARCHITECTURES_NATIVE)
    set(architectures ${CMAKE_CUDA_ARCHITECTURES_NATIVE})
  endif()
  list(TRANSFORM architectures REPLACE "^([0-9]+[a-z]?)$" "-gencode=arch=compute_\\1,code=[compute_\\1,sm_\\1]")
  list(TRANSFORM architectures REPLACE "^([0-9]+[a-z]?)-real$" "-gencode=arch=compute_\\1,code=sm_\\1")
  list(TRANSFORM architectures REPLACE "^([0-9]+[a-z]?)-virtual$" "-gencode=arch=compute_\\1,code=compute_\\1")
  list(TRANSFORM architectures REPLACE "^([a-z].*)$" "-arch=\\1")  # native, all, all-major
  set(${out} "${architectures}" PARENT_SCOPE)
endfunction()

include(Offload)   # OpenMP for GPUs
