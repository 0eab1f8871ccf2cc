#----------------------------------------------------------------
# Generated CMake target import file for configuration "Release".
#----------------------------------------------------------------

# Commands may need to know the format version.
set(CMAKE_IMPORT_FILE_VERSION 1)

# Import target "roofline::roofline" for configuration "Release"
set_property(TARGET roofline::roofline APPEND PROPERTY IMPORTED_CONFIGURATIONS RELEASE)
set_target_properties(roofline::roofline PROPERTIES
  IMPORTED_LINK_INTERFACE_LANGUAGES_RELEASE "CXX"
  IMPORTED_LOCATION_RELEASE "${_IMPORT_PREFIX}/lib/libroofline.a"
  )

list(APPEND _cmake_import_check_targets roofline::roofline )
list(APPEND _cmake_import_check_files_for_roofline::roofline "${_IMPORT_PREFIX}/lib/libroofline.a" )

# Commands beyond this point should not need to know the version.
set(CMAKE_IMPORT_FILE_VERSION)
