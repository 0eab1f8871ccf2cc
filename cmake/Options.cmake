# The user's options, and the flags that follow from them.

set(GPP_TESTS "AUTO" CACHE STRING "Build the tests: AUTO (where GoogleTest is found), ON or OFF")
option(GPP_WERROR "Treat warnings as errors" OFF)
option(GPP_FUZZ "Build the libFuzzer target (clang only)" OFF)
set(GPP_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined or thread")
set(GPP_CPU "native" CACHE STRING "Processor to build for: the argument of -march")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Release disables assertions and keeps line numbers, which profilers need and which cost no time.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -g1 -DNDEBUG")
set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -lineinfo -DNDEBUG")

# These flags hold for every C++ source of the project. Files are compiled together, so a local name
# may equal another file's function: -Wshadow=local. Math functions vectorise because errno and
# floating-point traps are off. No flag allows reassociation, so results do not change.
add_library(gpp_flags INTERFACE)
target_include_directories(gpp_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(gpp_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic $<IF:$<CXX_COMPILER_ID:GNU>,-Wshadow=local,-Wshadow> -Wconversion -Wno-sign-conversion
    -fno-math-errno -fno-trapping-math>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
if(GPP_WERROR)
  target_compile_options(gpp_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings>)
endif()
if(GPP_CPU)
  target_compile_options(gpp_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-march=${GPP_CPU}>)
endif()
if(GPP_SANITIZE)
  target_compile_options(gpp_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${GPP_SANITIZE} -fno-omit-frame-pointer>)
  target_link_options(gpp_flags INTERFACE -fsanitize=${GPP_SANITIZE})
endif()
