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
  set(arguments "")
  foreach(one IN LISTS architectures)
    if(NOT one MATCHES "^([0-9]+[a-z]?)(-real|-virtual)?$")
      list(APPEND arguments -arch=${one})  # special values: native, all, all-major
    elseif(CMAKE_MATCH_2 STREQUAL "-virtual")
      list(APPEND arguments -gencode=arch=compute_${CMAKE_MATCH_1},code=compute_${CMAKE_MATCH_1})
    elseif(CMAKE_MATCH_2)
      list(APPEND arguments -gencode=arch=compute_${CMAKE_MATCH_1},code=sm_${CMAKE_MATCH_1})
    else()
      list(APPEND arguments
        -gencode=arch=compute_${CMAKE_MATCH_1},code=[compute_${CMAKE_MATCH_1},sm_${CMAKE_MATCH_1}])
    endif()
  endforeach()
  set(${out} "${arguments}" PARENT_SCOPE)
endfunction()

include(Offload)   # OpenMP for GPUs

# Sets <out> to whether a CUDA source uses instructions of Hopper only. Such a file is compiled for
# Hopper only; other devices never start its kernels.
function(gpp_uses_hopper file out)
  file(STRINGS ${file} includes REGEX "^#include \"variants/cuda/support/wgmma[.]cuh\"" LIMIT_COUNT 1)
  string(COMPARE NOTEQUAL "${includes}" "" uses)
  set(${out} ${uses} PARENT_SCOPE)
endfunction()

# gpp_add_hopper(<target> <file>): adds a file for Hopper to the target.
function(gpp_add_hopper target file)
  cmake_path(GET file STEM name)
  set(objects ${target}_${name})
  add_library(${objects} OBJECT ${file})
  set_target_properties(${objects} PROPERTIES CUDA_ARCHITECTURES 90a-real)
  target_link_libraries(${objects} PRIVATE gpp_problem)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
endfunction()
