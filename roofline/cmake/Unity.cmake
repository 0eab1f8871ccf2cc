# compile_by_folder(<target>...): compiles a folder's sources as
# one unit in a third of the time, because they share headers and templates. So names in unnamed
# namespaces must be unique in a folder. For frequent changes of one file, set
# CMAKE_UNITY_BUILD=OFF. With many cores, units have at most 64 KiB, because the largest folder
# would keep one core busy while others wait.
function(compile_by_folder)
  if(DEFINED CMAKE_UNITY_BUILD AND NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  set(most 1000000000)
  if(cores GREATER_EQUAL 8)
    set(most 65536)
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(sources ${target} SOURCES)
    get_target_property(base ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${base} NORMALIZE)
      cmake_path(IS_PREFIX CMAKE_BINARY_DIR ${source} NORMALIZE is_generated)
      if(NOT is_generated AND source MATCHES "[.]cpp$")  # CUDA's take long each, and compile side by side
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE folder)
        cmake_path(GET folder PARENT_PATH folder)
        string(MAKE_C_IDENTIFIER "${folder}" folder)
        file(SIZE ${source} bytes)
        math(EXPR bytes_of_${folder} "${bytes_of_${folder}} + ${bytes}")
        math(EXPR part "${bytes_of_${folder}} / ${most}")
        string(REGEX REPLACE "^0$" "" part ${part})
        set_source_files_properties(${source} TARGET_DIRECTORY ${target}
          PROPERTIES UNITY_GROUP "${folder}${part}")
      endif()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endforeach()
endfunction()
