# Install script for directory: /work/w14/roofline

# Set the install prefix
if(NOT DEFINED CMAKE_INSTALL_PREFIX)
  set(CMAKE_INSTALL_PREFIX "/usr/local")
endif()
string(REGEX REPLACE "/$" "" CMAKE_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")

# Set the install configuration name.
if(NOT DEFINED CMAKE_INSTALL_CONFIG_NAME)
  if(BUILD_TYPE)
    string(REGEX REPLACE "^[^A-Za-z0-9_]+" ""
           CMAKE_INSTALL_CONFIG_NAME "${BUILD_TYPE}")
  else()
    set(CMAKE_INSTALL_CONFIG_NAME "Release")
  endif()
  message(STATUS "Install configuration: \"${CMAKE_INSTALL_CONFIG_NAME}\"")
endif()

# Set the component getting installed.
if(NOT CMAKE_INSTALL_COMPONENT)
  if(COMPONENT)
    message(STATUS "Install component: \"${COMPONENT}\"")
    set(CMAKE_INSTALL_COMPONENT "${COMPONENT}")
  else()
    set(CMAKE_INSTALL_COMPONENT)
  endif()
endif()

# Install shared libraries without execute permission?
if(NOT DEFINED CMAKE_INSTALL_SO_NO_EXE)
  set(CMAKE_INSTALL_SO_NO_EXE "1")
endif()

# Is this installation the result of a crosscompile?
if(NOT DEFINED CMAKE_CROSSCOMPILING)
  set(CMAKE_CROSSCOMPILING "FALSE")
endif()

# Set default install directory permissions.
if(NOT DEFINED CMAKE_OBJDUMP)
  set(CMAKE_OBJDUMP "/usr/bin/objdump")
endif()

if(NOT CMAKE_INSTALL_LOCAL_ONLY)
  # Include the install script for the subdirectory.
  include("/work/w14/b/cupti/cmake_install.cmake")
endif()

if(NOT CMAKE_INSTALL_LOCAL_ONLY)
  # Include the install script for the subdirectory.
  include("/work/w14/b/ceilings/cmake_install.cmake")
endif()

if(NOT CMAKE_INSTALL_LOCAL_ONLY)
  # Include the install script for the subdirectory.
  include("/work/w14/b/tool/cmake_install.cmake")
endif()

if(CMAKE_INSTALL_COMPONENT STREQUAL "Unspecified" OR NOT CMAKE_INSTALL_COMPONENT)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/lib" TYPE STATIC_LIBRARY FILES "/work/w14/b/libroofline.a")
endif()

if(CMAKE_INSTALL_COMPONENT STREQUAL "Unspecified" OR NOT CMAKE_INSTALL_COMPONENT)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline" TYPE FILE FILES
    "/work/w14/roofline/ceilings.h"
    "/work/w14/roofline/counted_run.h"
    "/work/w14/roofline/counters.h"
    "/work/w14/roofline/counting.h"
    "/work/w14/roofline/cuda_driver.h"
    "/work/w14/roofline/formula.h"
    "/work/w14/roofline/host_counters.h"
    "/work/w14/roofline/json.h"
    "/work/w14/roofline/metrics.h"
    "/work/w14/roofline/model.h"
    "/work/w14/roofline/permission.h"
    "/work/w14/roofline/points.h"
    "/work/w14/roofline/profile.h"
    "/work/w14/roofline/recorder.h"
    "/work/w14/roofline/roofline.h"
    "/work/w14/roofline/timing.h"
    "/work/w14/roofline/verdict.h"
    )
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline/base" TYPE FILE FILES
    "/work/w14/roofline/base/bounds.h"
    "/work/w14/roofline/base/csv.h"
    "/work/w14/roofline/base/data_caches.h"
    "/work/w14/roofline/base/error.h"
    "/work/w14/roofline/base/file_lock.h"
    "/work/w14/roofline/base/json_place.h"
    "/work/w14/roofline/base/machine.h"
    "/work/w14/roofline/base/nearest.h"
    "/work/w14/roofline/base/parallel.h"
    "/work/w14/roofline/base/process.h"
    "/work/w14/roofline/base/processors.h"
    "/work/w14/roofline/base/replace_file.h"
    "/work/w14/roofline/base/saturating.h"
    "/work/w14/roofline/base/table.h"
    "/work/w14/roofline/base/terminal.h"
    "/work/w14/roofline/base/text.h"
    "/work/w14/roofline/base/units.h"
    "/work/w14/roofline/base/visible.h"
    )
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline/ceilings" TYPE FILE FILES
    "/work/w14/roofline/ceilings/cache.h"
    "/work/w14/roofline/ceilings/levels.h"
    "/work/w14/roofline/ceilings/measure.h"
    "/work/w14/roofline/ceilings/plateaus.h"
    )
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline/charts" TYPE FILE FILES
    "/work/w14/roofline/charts/chart.h"
    "/work/w14/roofline/charts/gnuplot.h"
    "/work/w14/roofline/charts/labels.h"
    "/work/w14/roofline/charts/page.h"
    "/work/w14/roofline/charts/roofline_drawing.h"
    "/work/w14/roofline/charts/terminal.h"
    "/work/w14/roofline/charts/time_drawing.h"
    "/work/w14/roofline/charts/write.h"
    )
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline/cupti" TYPE FILE FILES "/work/w14/roofline/cupti/status.h")
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline/import" TYPE FILE FILES "/work/w14/roofline/import/import.h")
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline/machine_code" TYPE FILE FILES
    "/work/w14/roofline/machine_code/disassembly.h"
    "/work/w14/roofline/machine_code/hot_code.h"
    "/work/w14/roofline/machine_code/instruction.h"
    "/work/w14/roofline/machine_code/loops.h"
    "/work/w14/roofline/machine_code/sampler.h"
    )
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/include/roofline/models" TYPE FILE FILES "/work/w14/roofline/models/model_table.h")
endif()

if(CMAKE_INSTALL_COMPONENT STREQUAL "Unspecified" OR NOT CMAKE_INSTALL_COMPONENT)
  if(EXISTS "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/roofline" AND
     NOT IS_SYMLINK "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/roofline")
    file(RPATH_CHECK
         FILE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/roofline"
         RPATH "")
  endif()
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/bin" TYPE EXECUTABLE FILES "/work/w14/b/bin/roofline")
  if(EXISTS "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/roofline" AND
     NOT IS_SYMLINK "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/roofline")
    if(CMAKE_INSTALL_DO_STRIP)
      execute_process(COMMAND "/usr/bin/strip" "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/bin/roofline")
    endif()
  endif()
endif()

if(CMAKE_INSTALL_COMPONENT STREQUAL "Unspecified" OR NOT CMAKE_INSTALL_COMPONENT)
  if(EXISTS "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/cmake/roofline/roofline-targets.cmake")
    file(DIFFERENT _cmake_export_file_changed FILES
         "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/cmake/roofline/roofline-targets.cmake"
         "/work/w14/b/CMakeFiles/Export/ae962987e51bb53b205601ec9e3ea1a2/roofline-targets.cmake")
    if(_cmake_export_file_changed)
      file(GLOB _cmake_old_config_files "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/cmake/roofline/roofline-targets-*.cmake")
      if(_cmake_old_config_files)
        string(REPLACE ";" ", " _cmake_old_config_files_text "${_cmake_old_config_files}")
        message(STATUS "Old export file \"$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/cmake/roofline/roofline-targets.cmake\" will be replaced.  Removing files [${_cmake_old_config_files_text}].")
        unset(_cmake_old_config_files_text)
        file(REMOVE ${_cmake_old_config_files})
      endif()
      unset(_cmake_old_config_files)
    endif()
    unset(_cmake_export_file_changed)
  endif()
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/lib/cmake/roofline" TYPE FILE FILES "/work/w14/b/CMakeFiles/Export/ae962987e51bb53b205601ec9e3ea1a2/roofline-targets.cmake")
  if(CMAKE_INSTALL_CONFIG_NAME MATCHES "^([Rr][Ee][Ll][Ee][Aa][Ss][Ee])$")
    file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/lib/cmake/roofline" TYPE FILE FILES "/work/w14/b/CMakeFiles/Export/ae962987e51bb53b205601ec9e3ea1a2/roofline-targets-release.cmake")
  endif()
endif()

if(CMAKE_INSTALL_COMPONENT STREQUAL "Unspecified" OR NOT CMAKE_INSTALL_COMPONENT)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/lib/cmake/roofline" TYPE FILE FILES
    "/work/w14/b/roofline-config.cmake"
    "/work/w14/b/roofline-config-version.cmake"
    )
endif()

if(CMAKE_INSTALL_COMPONENT)
  set(CMAKE_INSTALL_MANIFEST "install_manifest_${CMAKE_INSTALL_COMPONENT}.txt")
else()
  set(CMAKE_INSTALL_MANIFEST "install_manifest.txt")
endif()

string(REPLACE ";" "\n" CMAKE_INSTALL_MANIFEST_CONTENT
       "${CMAKE_INSTALL_MANIFEST_FILES}")
file(WRITE "/work/w14/b/${CMAKE_INSTALL_MANIFEST}"
     "${CMAKE_INSTALL_MANIFEST_CONTENT}")
