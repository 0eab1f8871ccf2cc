# Tests the names that cmake/symbols.cmake allows and refuses in a variant.
#
# cmake -DCXX=<compiler> -DNM=<nm> -DSOURCE_DIR=<tree> -DFOLDER=<scratch> -P symbols_test.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})

# expect(<fine|refused> <name> <source>): checks the result for a file with this source.
function(expect verdict name source)
  file(WRITE ${FOLDER}/${name}.cpp "${source}")
  execute_process(COMMAND ${CXX} -c ${FOLDER}/${name}.cpp -o ${FOLDER}/${name}.o
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} -DNM=${NM} -DFILES=${FOLDER}/${name}.o
    -P ${SOURCE_DIR}/cmake/symbols.cmake RESULT_VARIABLE status ERROR_VARIABLE errors)
  if(verdict STREQUAL "fine" AND status)
    message(SEND_ERROR "${name} was refused: ${errors}")
  elseif(verdict STREQUAL "refused" AND NOT errors MATCHES "${name} defines")
    message(SEND_ERROR "${name} was not refused with its reason: ${errors}")
  endif()
endfunction()

expect(fine in_namespace "namespace gpp::omp { int my_idea() { return 1; } }")
expect(fine hidden "static int helper() { return 1; } namespace { int other = helper(); } namespace gpp { int* a = &other; }")
expect(fine templates "#include <map>\n#include <string>\nnamespace gpp { std::map<std::string, int> kept() { return {{\"a\", 1}}; } }")
expect(refused clock "extern \"C\" int clock_gettime(int, void*) { return 0; }")
expect(refused weak_clock "extern \"C\" __attribute__((weak)) int clock_gettime(int, void*) { return 0; }")
expect(refused data "extern \"C\" { int environ = 0; }")
expect(refused omp "extern \"C\" double omp_get_wtime() { return 0; }")
expect(refused cuda "extern \"C\" int cudaEventElapsedTime(float*, void*, void*) { return 0; }")
expect(refused allocation "#include <cstdlib>\nvoid* operator new(std::size_t n) { return std::malloc(n); }")
expect(refused steady "#include <chrono>\nstd::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept { return {}; }")
expect(refused elsewhere "namespace other { int helper() { return 1; } }")
