# build/gpp-first is the `gpp study` of a fresh clone without charts and reports, linked before the
# rest of the program is compiled (cli/first.cpp). It uses the program's object files except those
# that `later` names. The linker drops unused functions, so these may call functions of absent
# files. If a used function calls one, the link fails and names it.
#
# Only Ninja can build single objects of a library. OpenMP for GPUs needs another linker.
set(GPP_FIRST "" CACHE INTERNAL "Whether scripts/study begins with the first program")
get_target_property(unity gpp_cli UNITY_BUILD)
if(NOT CMAKE_GENERATOR STREQUAL "Ninja" OR NOT CMAKE_BUILD_TYPE STREQUAL "Release" OR NOT unity OR GPP_SANITIZE
    OR NOT GPP_OFFLOAD_MISSING)
  return()
endif()
set(GPP_FIRST ON CACHE INTERNAL "")
string(CONCAT later "/unity_(apart_harness_measure[0-9]*|gpp_commands[0-9]*|cli[0-9]*|harness_(judge|report|teach|view)[0-9]*"
  "|roofline_(import|inject|page|verify|view)[0-9]*)_cxx|/(import|verify)/[a-z_]*[.]cpp|/kernels[.]cpp|[.]gch$")
set(objects)
foreach(library IN ITEMS gpp_kernels gpp_cli gpp_study gpp_harness gpp_data gpp_shapes gpp_variants gpp_problem
    gpp_runtimes roofline)
  get_target_property(others ${library} SOURCES)
  list(FILTER others INCLUDE REGEX "TARGET_OBJECTS")  # Thrust's variants, and those for Hopper
  list(APPEND objects "$<FILTER:$<TARGET_OBJECTS:${library}>,EXCLUDE,${later}>" ${others})
endforeach()
gpp_write_kernels(${CMAKE_BINARY_DIR}/first_kernels.cpp gpp)
add_executable(gpp_first EXCLUDE_FROM_ALL cli/first.cpp gpp/study/no_commands.cpp ${CMAKE_BINARY_DIR}/first_kernels.cpp)
# Objects are link options here; as sources or libraries they would need complete libraries.
target_link_options(gpp_first PRIVATE ${objects} -Wl,--gc-sections)
target_link_libraries(gpp_first PRIVATE gpp_flags CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json OpenMP::OpenMP_CXX
  Threads::Threads ${CMAKE_DL_LIBS})
if(NOT GPP_CUDA_MISSING)
  target_link_libraries(gpp_first PRIVATE CUDA::cudart_static)
endif()
set_target_properties(gpp_first PROPERTIES OUTPUT_NAME gpp-first RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}
  LINK_DEPENDS "${objects}")
