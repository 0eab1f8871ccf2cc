# Installed files belong to one of two components: `gpp` or, in roofline/, `roofline`. Installed
# programs do not know the source tree and find all files relative to their own place.
include(GNUInstallDirs)
include(${CMAKE_SOURCE_DIR}/roofline/cmake/InstallBuilt.cmake)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME gpp)
# Libraries of the CUDA Toolkit and of LLVM often lie outside the loader's default folders.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# The program loads these libraries on demand. Nothing else uses them.
set(GPP_INSTALL_LIBRARIES lib/gpp)
# The headers that plug-ins are compiled against. harness/plugin/plugin.h expects them here.
set(GPP_INSTALL_HEADERS include/gpp-study)

install(DIRECTORY data/silicon DESTINATION share/gpp/data)
install(FILES data/README.md DESTINATION share/gpp/data)
install(DIRECTORY lessons DESTINATION share/gpp)
install(DIRECTORY docs DESTINATION share/doc/gpp-study FILES_MATCHING PATTERN *.md PATTERN *.svg)
install(FILES README.md CITATION.cff DESTINATION share/doc/gpp-study)
install(FILES LICENSE DESTINATION share/doc/gpp-study RENAME copyright)
install(FILES LICENSE DESTINATION share/doc/roofline RENAME copyright COMPONENT roofline)
