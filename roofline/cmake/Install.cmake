# `cmake --install` installs headers, the library, and the files for find_package(roofline). None of
# them names the source tree, and only the headers' C++ standard is passed on.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
include(cmake/InstallBuilt.cmake)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME roofline)

# All headers are public except those of the recorder and of the benchmarks, which need CUDA's
# headers.
file(GLOB headers CONFIGURE_DEPENDS *.h base/*.h ceilings/*.h view/*.h import/import.h machine_code/*.h record/*.h
  models/model_table.h)
cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH above)
target_sources(roofline PUBLIC FILE_SET HEADERS BASE_DIRS ${above} FILES ${headers})

set(ROOFLINE_NEEDS_CUDA OFF)
if(NOT ROOFLINE_CUDA_MISSING)
  set(ROOFLINE_NEEDS_CUDA ON)
endif()
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/roofline)
configure_package_config_file(cmake/roofline-config.cmake.in roofline-config.cmake
  INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(roofline-config-version.cmake COMPATIBILITY SameMinorVersion)

install(TARGETS roofline EXPORT roofline-targets ARCHIVE FILE_SET HEADERS)
if(TARGET roofline_tool)
  install_if_built(roofline_tool RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install_if_built(roofline_known_answers RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET roofline_inject)
  install_if_built(roofline_inject LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY sections DESTINATION ${CMAKE_INSTALL_DATADIR}/roofline)
install(EXPORT roofline-targets NAMESPACE roofline:: DESTINATION ${config_folder})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/roofline-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/roofline-config-version.cmake
  DESTINATION ${config_folder})
