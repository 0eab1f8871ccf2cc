# Libraries that some kernels call. A model whose library is missing is left out, with the reason.

# gpp_library(<target> HEADER <header> NAME <library> PACKAGE <package>): finds a C library.
function(gpp_library target)
  cmake_parse_arguments(arg "" "HEADER;NAME;PACKAGE" "" ${ARGN})
  set_property(GLOBAL PROPERTY GPP_LIBRARY_${target} ${arg_PACKAGE})
  set_property(GLOBAL APPEND PROPERTY GPP_LIBRARIES ${target})
  find_path(${target}_INCLUDE ${arg_HEADER} PATH_SUFFIXES openblas)
  find_library(${target}_LIBRARY ${arg_NAME})
  mark_as_advanced(${target}_INCLUDE ${target}_LIBRARY)
  if(${target}_INCLUDE AND ${target}_LIBRARY)
    add_library(${target} UNKNOWN IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES IMPORTED_LOCATION ${${target}_LIBRARY}
      INTERFACE_INCLUDE_DIRECTORIES ${${target}_INCLUDE})
  endif()
endfunction()

gpp_library(fftw HEADER fftw3.h NAME fftw3 PACKAGE libfftw3-dev)
gpp_library(openblas HEADER cblas.h NAME openblas PACKAGE libopenblas-dev)
gpp_library(lapacke HEADER lapacke.h NAME lapacke PACKAGE liblapacke-dev)
foreach(library cublas cufft cusolver)
  set_property(GLOBAL PROPERTY GPP_LIBRARY_CUDA::${library} "the whole CUDA Toolkit")
endforeach()

# Sets <out> to the reason why a kernel that calls these libraries is not built, or to nothing.
function(gpp_libraries_missing out)
  set(reason "")
  if(GPP_SANITIZE AND ARGN)
    set(reason "it calls libraries, which builds with sanitizers leave out")
  endif()
  foreach(library IN LISTS ARGN)
    if(NOT reason AND NOT TARGET ${library})
      get_property(package GLOBAL PROPERTY GPP_LIBRARY_${library})
      set(reason "${library} was not found when this program was built: install ${package} and build again")
    endif()
  endforeach()
  set(${out} "${reason}" PARENT_SCOPE)
endfunction()
