# Whether CUDA can be compiled here, and how. Sets ROOFLINE_CUDA_MISSING to the reason why not, with a
# remedy; empty where it can. A reason given before is kept.
include(CheckLanguage)

# CMake 3.25 sets a property of this library, which CUDA Toolkits do not have any more.
if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()

set(ROOFLINE_CUDA "AUTO" CACHE STRING "Build for NVIDIA GPUs: AUTO, ON or OFF")
if(NOT ROOFLINE_CUDA_MISSING)
  set(ROOFLINE_CUDA_MISSING "")
  if(ROOFLINE_CUDA STREQUAL "OFF")
    set(ROOFLINE_CUDA_MISSING "switched off when this program was built (ROOFLINE_CUDA=OFF)")
  else()
    check_language(CUDA)
    if(NOT CMAKE_CUDA_COMPILER)
      set(ROOFLINE_CUDA_MISSING
        "no nvcc was found when this program was built; install the CUDA Toolkit 12.6 or later, put nvcc on the PATH and build again")
    endif()
  endif()
endif()
if(ROOFLINE_CUDA_MISSING AND ROOFLINE_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CUDA is asked for, but ${ROOFLINE_CUDA_MISSING}")
endif()

if(NOT ROOFLINE_CUDA_MISSING)
  # For the device that is here, else for current data-centre cards, with PTX for later ones.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    file(GLOB devices /dev/nvidia[0-9]*)
    if(devices)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90)
    endif()
  endif()
  enable_language(CUDA)
  # CMake 3.25 does not know that nvcc speaks C++20 since version 12.
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
