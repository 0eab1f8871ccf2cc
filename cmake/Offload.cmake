# Finds out whether OpenMP target regions can be compiled for a GPU. GPP_OFFLOAD_MISSING is the
# reason if not; if it is empty, the target gpp_offload has the flags.
#
# clang compiles these regions, and LLVM's OpenMP runtime starts them. A program must not hold two
# OpenMP runtimes, so clang must compile all C++ sources: `cmake --preset offload`. nvcc still
# compiles the CUDA sources. A small probe program is compiled, linked and inspected, because LLVM's
# runtime silently refuses device code in a newer format than it knows.

set(GPP_OFFLOAD "AUTO" CACHE STRING "Build the OpenMP models for a GPU: AUTO, ON or OFF")
set(GPP_OFFLOAD_ARCH "" CACHE STRING
  "GPU to build for: sm_90, gfx90a, gfx942 (default: the one that is here)")
set(GPP_OFFLOAD_CUDA_PATH "" CACHE PATH
  "CUDA installation for OpenMP on NVIDIA GPUs (default: the first that LLVM's runtime accepts)")
set(GPP_OFFLOAD_ROCM_BITCODE "" CACHE PATH
  "Folder of ROCm's device libraries for OpenMP on AMD GPUs (default: the distribution's)")
set(GPP_OFFLOAD_CACHE "$ENV{HOME}/.cache/gpp" CACHE PATH
  "Where scripts/setup --offload unpacks what packages cannot install side by side")

# Sets <out> to the architecture of this machine's GPU, if there is one.
function(gpp_offload_native_arch out)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader OUTPUT_VARIABLE answer ERROR_QUIET)
  if(answer MATCHES "^([0-9]+)\\.([0-9]+)")
    set(${out} sm_${CMAKE_MATCH_1}${CMAKE_MATCH_2} PARENT_SCOPE)
  elseif(EXISTS /dev/kfd)
    find_program(GPP_AMDGPU_ARCH amdgpu-arch HINTS ${GPP_LLVM_ROOT}/bin)
    execute_process(COMMAND ${GPP_AMDGPU_ARCH} OUTPUT_VARIABLE answer ERROR_QUIET)
    if(answer MATCHES "^(gfx[0-9a-f]+)")
      set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Links the probe with <flags>. Sets `error` to the last words of the compiler, or to nothing, and `abi` to the ABI version in
# the ELF header of the device code: byte 8 of e_ident.
macro(gpp_offload_probe flags)
  set(error "")
  set(abi "")
  set(program ${CMAKE_BINARY_DIR}/offload_probe)
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -O1 ${flags} ${CMAKE_SOURCE_DIR}/cmake/offload_probe.cpp -o ${program} -L${GPP_LLVM_ROOT}/lib
    RESULT_VARIABLE failed ERROR_VARIABLE said OUTPUT_VARIABLE said)
  if(failed)
    # The first error is the cause. Quotes and backslashes would end the C++ string around it.
    string(REGEX MATCH "error: [^\n]*" said "${said}")
    string(REGEX REPLACE "[\"\\;]" "'" error "${said}")
  else()
    # 0x33 and 0x41 are CUDA's marks in e_ident[EI_OSABI], 0x40 is AMD's.
    file(READ ${program} bytes HEX)
    if(bytes MATCHES "7f454c46020101(33|41|40)([0-9a-f][0-9a-f])")
      math(EXPR abi "0x${CMAKE_MATCH_2}")
    else()
      set(error "the linked program holds no device code")
    endif()
  endif()
endmacro()

# Takes the first of some folders with <holds> whose device code LLVM's runtime accepts; FOLDER in <flags> is its place. Sets
# GPP_OFFLOAD_FLAGS and GPP_OFFLOAD_TOOLKIT, or GPP_OFFLOAD_MISSING to <nothing>, with the reasons in the place of REFUSED.
function(gpp_offload_first holds flags nothing)
  set(refused "")
  foreach(folder IN LISTS ARGN)
    if(NOT EXISTS ${folder}/${holds})
      continue()
    endif()
    string(REPLACE FOLDER ${folder} found "${flags}")
    gpp_offload_probe("${found}")
    if(NOT error AND holds STREQUAL "bin/ptxas" AND abi GREATER_EQUAL 8 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 22)
      set(error "its ptxas writes device code of ELF ABI version ${abi}, as CUDA 12.8 and later do, which LLVM's runtime refuses \
before version 22 (this is ${CMAKE_CXX_COMPILER_VERSION})")
    endif()
    if(NOT error)
      set(GPP_OFFLOAD_FLAGS "${found}" PARENT_SCOPE)
      set(GPP_OFFLOAD_TOOLKIT "${folder}, ELF ABI ${abi}" PARENT_SCOPE)
      return()
    endif()
    string(APPEND refused " ${folder}: ${error}.")
  endforeach()
  if(NOT refused)
    list(JOIN ARGN ", " refused)
    set(refused " none was found in ${refused}.")
  endif()
  string(REPLACE REFUSED "${refused}" nothing "${nothing}")
  set(GPP_OFFLOAD_MISSING "${nothing}" PARENT_SCOPE)
endfunction()

macro(gpp_offload_nvidia arch)
  set(folders ${GPP_OFFLOAD_CUDA_PATH})
  if(NOT folders)
    file(GLOB others /usr/local/cuda-*)
    set(folders ${GPP_OFFLOAD_CACHE}/cuda-11.8 $ENV{CUDA_PATH} /usr/local/cuda /usr/lib/cuda ${others})
  endif()
  set(flags -fopenmp --offload-arch=${arch} --cuda-path=FOLDER -Wno-unknown-cuda-version)
  if(EXISTS ${GPP_LLVM_ROOT}/lib/libomptarget-nvptx-${arch}.bc)
    list(APPEND flags --libomptarget-nvptx-bc-path=${GPP_LLVM_ROOT}/lib)
  endif()
  gpp_offload_first(bin/ptxas "${flags}" "no CUDA installation here can be used for OpenMP on GPUs:REFUSED scripts/setup \
--offload unpacks CUDA 11.8, which works; or name one older than 12.8 with -DGPP_OFFLOAD_CUDA_PATH" ${folders})
endmacro()

macro(gpp_offload_amd arch)
  set(folders ${GPP_OFFLOAD_ROCM_BITCODE})
  if(NOT folders)
    set(folders /opt/rocm/amdgcn/bitcode ${GPP_OFFLOAD_CACHE}/rocm/amdgcn/bitcode
      /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode)
  endif()
  gpp_offload_first(ocml.bc "-fopenmp;--offload-arch=${arch};--rocm-device-lib-path=FOLDER" "no ROCm device libraries here can \
be used for ${arch}:REFUSED Install rocm-device-libs and lld-19 (Debian's know gfx90a, not gfx942), or name ROCm's folder with \
-DGPP_OFFLOAD_ROCM_BITCODE" ${folders})
endmacro()

set(GPP_OFFLOAD_MISSING "")
if(GPP_OFFLOAD STREQUAL "OFF")
  set(GPP_OFFLOAD_MISSING "switched off when this program was built (GPP_OFFLOAD=OFF)")
elseif(GPP_SANITIZE)
  set(GPP_OFFLOAD_MISSING "left out of builds with sanitizers")
elseif(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  set(GPP_OFFLOAD_MISSING "this program was built with ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}, and OpenMP for \
GPUs needs clang 19 or later for all of it; run scripts/setup --offload, then cmake --preset offload")
else()
  # The libraries lie beside the compiler's own folder: /usr/lib/llvm-19.
  file(REAL_PATH ${CMAKE_CXX_COMPILER} GPP_LLVM_ROOT)
  cmake_path(GET GPP_LLVM_ROOT PARENT_PATH GPP_LLVM_ROOT)
  cmake_path(GET GPP_LLVM_ROOT PARENT_PATH GPP_LLVM_ROOT)
  if(NOT EXISTS ${GPP_LLVM_ROOT}/lib/libomptarget.so)
    set(GPP_OFFLOAD_MISSING "clang ${CMAKE_CXX_COMPILER_VERSION} is here without its offload runtime (libomptarget.so); \
scripts/setup --offload installs it")
  endif()
endif()
if(NOT GPP_OFFLOAD_MISSING)
  set(arch ${GPP_OFFLOAD_ARCH})
  if(NOT arch)
    gpp_offload_native_arch(arch)
  endif()
  if(NOT arch AND GPP_OFFLOAD STREQUAL "ON")
    set(arch sm_90)
  endif()
  if(NOT arch)
    set(GPP_OFFLOAD_MISSING "no GPU was found when this program was built; name the one to build for: \
-DGPP_OFFLOAD_ARCH=sm_90")
  elseif(arch MATCHES "^sm_[0-9]+a?$")
    gpp_offload_nvidia(${arch})
  elseif(arch MATCHES "^gfx[0-9a-f]+$")
    gpp_offload_amd(${arch})
  else()
    message(FATAL_ERROR "GPP_OFFLOAD_ARCH=${arch} is no GPU that clang knows; examples: sm_90, gfx90a")
  endif()
endif()

if(NOT GPP_OFFLOAD_MISSING)
  set(GPP_OFFLOAD_ARCH_USED ${arch})
  list(JOIN GPP_OFFLOAD_FLAGS " " GPP_OFFLOAD_FLAGS_USED)
  add_library(gpp_offload INTERFACE)
  target_compile_options(gpp_offload INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${GPP_OFFLOAD_FLAGS}>)
  target_link_options(gpp_offload INTERFACE ${GPP_OFFLOAD_FLAGS})
  target_link_directories(gpp_offload INTERFACE ${GPP_LLVM_ROOT}/lib)
  set(CMAKE_BUILD_RPATH ${GPP_LLVM_ROOT}/lib)
  message(STATUS "OpenMP offload: ${arch} with ${GPP_OFFLOAD_TOOLKIT}")
elseif(GPP_OFFLOAD STREQUAL "ON")
  message(FATAL_ERROR "GPP_OFFLOAD=ON, but ${GPP_OFFLOAD_MISSING}")
else()
  message(STATUS "OpenMP offload: not built: ${GPP_OFFLOAD_MISSING}")
endif()
