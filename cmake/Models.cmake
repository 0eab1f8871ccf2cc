# Which programming models this machine can compile. For each one that it can't, a reason with a
# remedy is kept: the program shows it in `gpp list` and `gpp doctor`.

include(CheckLanguage)

# CMake 3.25 sets a property of this library, which CUDA Toolkits do not have any more.
if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
  add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
endif()

find_package(OpenMP REQUIRED COMPONENTS CXX)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Target regions run on host threads: no code for g++'s own offload devices, and no link-time
  # optimiser, which would look for it and is not installed everywhere.
  list(APPEND OpenMP_CXX_FLAGS -foffload=disable)
  target_compile_options(OpenMP::OpenMP_CXX INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-foffload=disable>)
  target_link_options(OpenMP::OpenMP_CXX INTERFACE -foffload=disable -fno-lto)
endif()

set(GPP_CUDA "AUTO" CACHE STRING "Build the CUDA models: AUTO, ON or OFF")
set(GPP_CUDA_MISSING "")

if(GPP_CUDA STREQUAL "OFF")
  set(GPP_CUDA_MISSING "switched off when this program was built (GPP_CUDA=OFF)")
elseif(GPP_SANITIZE)
  set(GPP_CUDA_MISSING "left out of builds with sanitizers; use compute-sanitizer on a normal build")
else()
  check_language(CUDA)
  if(NOT CMAKE_CUDA_COMPILER)
    set(GPP_CUDA_MISSING
      "no nvcc was found when this program was built; install the CUDA Toolkit 12.4 or later, put nvcc on the PATH and build again")
  endif()
endif()

if(GPP_CUDA_MISSING AND GPP_CUDA STREQUAL "ON")
  message(FATAL_ERROR "GPP_CUDA=ON, but ${GPP_CUDA_MISSING}")
endif()

if(NOT GPP_CUDA_MISSING)
  # For the device that is here, else for current data-centre cards, with PTX for later ones.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    file(GLOB gpp_devices /dev/nvidia[0-9]*)
    if(gpp_devices)
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
  message(STATUS "CUDA: not built: ${GPP_CUDA_MISSING}")
endif()

include(Offload)   # OpenMP for GPUs
