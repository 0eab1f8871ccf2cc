# Refuses variants that define a symbol of the libraries below the program. Everybody would call a
# variant's own clock_gettime instead of the C library's, for example.
#
# cmake -DNM=<nm> -DFILES=<object or archive>[;...] -P symbols.cmake
#
# These names may be defined: those in namespace gpp and those that compilers make. Weak definitions
# of C++ templates and inline functions are allowed too, except of clocks.
cmake_minimum_required(VERSION 3.25)

# Compilers put a dot into names of their own symbols. No library has such names.
set(made_by_compilers
  "\\.|^(nvtx|InitializeInjectionNvtx2_fnptr$|__clang_call_terminate$|__fatbin|__nv_|__omp_offloading)|^_+(asan|odr_asan|sancov)")

foreach(file IN LISTS FILES)
  execute_process(COMMAND ${NM} -A --defined-only --extern-only ${file}
    OUTPUT_VARIABLE output ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(status)
    message(FATAL_ERROR "${NM} cannot read ${file}: ${errors}")
  endif()
  # The form of a line: <archive>:<member>:<address> <type> <name>
  string(REGEX MATCHALL "[^\n]+" lines "${output}")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^(.*):[0-9a-f ]* ([A-Za-z]) ([^ ]+)$")
      continue()
    endif()
    set(where ${CMAKE_MATCH_1})
    set(type ${CMAKE_MATCH_2})
    set(name ${CMAKE_MATCH_3})
    if(type MATCHES "^[WVu]$")
      set(fine "^_Z")
      set(foreign "^_ZNK?St6chrono3_V2.*clock")
    else()
      set(fine "^_Z.*3gpp|^_Z.*gpp_thrust_")
      set(foreign "^$")
    endif()
    if((name MATCHES "${fine}" AND NOT name MATCHES "${foreign}") OR name MATCHES "${made_by_compilers}")
      continue()
    endif()
    get_filename_component(where "${where}" NAME)
    string(REGEX REPLACE "^[^:]*:" "" where "${where}")
    string(REGEX REPLACE "\\.o$" "" where "${where}")
    list(APPEND refused "  ${where} defines ${name}")
  endforeach()
endforeach()

if(refused)
  list(JOIN refused "\n" refused)
  message(FATAL_ERROR "A variant defines a name outside namespace gpp, which others could call by "
    "mistake:\n${refused}\nPut it into namespace gpp, or make it static.")
endif()
