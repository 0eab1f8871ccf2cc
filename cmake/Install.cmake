# What is installed belongs to one of two packages: `gpp` and, in roofline/, `roofline`. Nothing that is
# installed knows the place of the sources: the program finds all by the place where it lies itself.
include(GNUInstallDirs)
include(${CMAKE_SOURCE_DIR}/roofline/cmake/InstallBuilt.cmake)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME gpp)
# Libraries of the CUDA Toolkit and of LLVM often lie where no loader looks by itself.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# The program loads these libraries when it needs them. They are nobody else's.
set(GPP_INSTALL_LIBRARIES lib/gpp)
# The headers that plug-ins are compiled against: harness/plugin/plugin.h finds them there.
set(GPP_INSTALL_HEADERS include/gpp-study)
function(gpp_install_library target)
  install_if_built(${target} LIBRARY DESTINATION ${GPP_INSTALL_LIBRARIES})
endfunction()
