# Finds out how CUDA can be compiled here. ROOFLINE_CUDA_MISSING becomes the reason, with a remedy,
# if it cannot, or "" if it can. An earlier reason is kept.

# find_nvcc(<variable>): sets CMake's CUDA compiler to nvcc, or the variable to the reason why no
# nvcc works. It only preprocesses, because that is where nvcc refuses a C++ compiler;
# check_language() takes seconds longer.
function(find_nvcc reason)
  find_program(nvcc NAMES ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX} nvcc HINTS ENV CUDA_PATH PATH_SUFFIXES bin NO_CACHE)
  if(NOT nvcc)
    set(${reason} "no nvcc was found when this program was built; install the CUDA Toolkit 12.6 or later, put nvcc on the PATH and build again" PARENT_SCOPE)
    return()
  endif()
  set(host ${CMAKE_CUDA_HOST_COMPILER} $ENV{CUDAHOSTCXX})
  if(host)
    list(GET host 0 host)
    set(host -ccbin ${host})
  endif()
  execute_process(COMMAND ${nvcc} ${host} -E -x cu /dev/null
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE message)
  if(failed)
    string(REGEX MATCH "[^\n]*error[^\n]*|$" line "${message}")
    set(${reason} "${nvcc} does not work here (exit status ${failed}): ${line}" PARENT_SCOPE)
  else()
    set(CMAKE_CUDA_COMPILER ${nvcc} CACHE FILEPATH "The compiler of CUDA")
  endif()
endfunction()

# CMake 3.25 needs this target, a library that current CUDA Toolkits no longer have.
if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()

set(ROOFLINE_CUDA "AUTO" CACHE STRING "Build for NVIDIA GPUs: AUTO, ON or OFF")
if(NOT ROOFLINE_CUDA_MISSING)
  set(ROOFLINE_CUDA_MISSING "")
  if(ROOFLINE_CUDA STREQUAL "OFF")
    set(ROOFLINE_CUDA_MISSING "switched off when this program was built (ROOFLINE_CUDA=OFF)")
  else()
    find_nvcc(ROOFLINE_CUDA_MISSING)
  endif()
endif()
if(ROOFLINE_CUDA_MISSING AND ROOFLINE_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CUDA is asked for, but ${ROOFLINE_CUDA_MISSING}")
endif()

if(NOT ROOFLINE_CUDA_MISSING)
  # For the GPU in this machine, else for current data-centre cards, with PTX for later ones.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    file(GLOB devices /dev/nvidia[0-9]*)
    if(devices)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    endif()
  endif()
  enable_language(CUDA)
  # nvcc supports C++20 since version 12, which CMake 3.25 does not know.
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  endif()
  set(CMAKE_CUDA_STANDARD 20)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit REQUIRED)
  message(STATUS "CUDA: nvcc ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
  message(STATUS "CUDA: not built: ${ROOFLINE_CUDA_MISSING}")
endif()
