# Installs the build into a private prefix, and builds and runs examples/outside/ using only that.
#
# cmake -DBUILD=<build folder> -DSOURCE=<source tree> -DCXX=<compiler> -DCUDA=<ON or OFF>
#   -DEACH_ALONE=<ON or OFF> -P install_test.cmake
cmake_minimum_required(VERSION 3.25)

# A folder away from tree and build, always the same, so that failures do not accumulate.
string(MD5 unique "${BUILD} ${CUDA} ${EACH_ALONE}")
set(WORK /tmp/roofline-install-${unique})
if(DEFINED ENV{TMPDIR})
  set(WORK $ENV{TMPDIR}/roofline-install-${unique})
endif()

# Runs a command; on failure ends the test with its output. Sets OUTPUT.
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
  set(OUTPUT "${output}" PARENT_SCOPE)
endfunction()

function(expect text pattern where)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "${where} lacks '${pattern}':\n${text}")
  endif()
endfunction()

function(expect_none text pattern where)
  if(text MATCHES "${pattern}")
    message(FATAL_ERROR "${where} holds '${CMAKE_MATCH_0}':\n${text}")
  endif()
endfunction()

# Flags and the source tree's path must not be installed.
string(REGEX REPLACE "([^A-Za-z0-9_/;-])" "\\\\\\1" places "${SOURCE};${BUILD}")
list(JOIN places "|" places)
set(leaks "-march|-mtune|-W[a-z]|-fno-|-ffp-|-fsanitize|${places}")

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
run("Installing" ${CMAKE_COMMAND} --install ${BUILD} --component roofline
  --prefix ${WORK}/prefix)

# Only the library, its program, its section files and the licence are allowed.
file(GLOB_RECURSE installed RELATIVE ${WORK}/prefix ${WORK}/prefix/*)
foreach(file IN LISTS installed)
  expect("${file}" "^(bin/roofline(-known-answers)?|include/roofline/.*\\.h|lib[^/]*/(.*/)?(libroofline\\.a|libroofline_inject\\.so|cmake/roofline/.*\\.cmake)|share/(roofline/sections/.*\\.section|doc/roofline/copyright))$"
    "the list of installed files")
  if(file MATCHES "\\.cmake$")
    file(READ ${WORK}/prefix/${file} text)
    expect_none("${text}" "${leaks}" "${file}")
  endif()
endforeach()
foreach(name recorder.h json.h models/model_table.h view/roofline_chart.h)
  expect("${installed}" "include/roofline/${name}" "the list of installed files")
endforeach()

# The example in another folder, with a source that includes all headers, or one source per header.
file(COPY ${SOURCE}/examples/outside/ DESTINATION ${WORK}/example)
file(GLOB_RECURSE headers RELATIVE ${WORK}/prefix/include ${WORK}/prefix/include/*.h)
foreach(header IN LISTS headers)
  set(name all)
  if(EACH_ALONE)
    string(MAKE_C_IDENTIFIER ${header} name)
  endif()
  file(APPEND ${WORK}/example/headers/${name}.cpp "#include <${header}>\n#include <${header}>\n")
endforeach()
file(APPEND ${WORK}/example/CMakeLists.txt "file(GLOB headers headers/*.cpp)
add_library(headers OBJECT \${headers})
target_link_libraries(headers PRIVATE roofline::roofline)\n")

set(options -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_COMPILER=${CXX}
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
if(NOT CUDA)
  list(APPEND options -DCMAKE_CUDA_COMPILER=NOTFOUND)
endif()
run("Configuring the example" ${CMAKE_COMMAND} -S ${WORK}/example -B ${WORK}/build ${options})
expect_none("${OUTPUT}" "CMake (Warning|Error)" "configuring the example")
file(READ ${WORK}/build/compile_commands.json commands)
expect_none("${commands}" "${leaks}" "the compile commands of the example")
run("Building the example" ${CMAKE_COMMAND} --build ${WORK}/build)
if(EACH_ALONE)
  file(REMOVE_RECURSE ${WORK})
  return()
endif()

# The cache of ceilings is empty, so they are measured. On a busy machine roofs may be missing or
# too low for the triad, which the example reports; a later attempt may succeed.
set(attempts 0)
while(attempts LESS 5)
  math(EXPR attempts "${attempts} + 1")
  file(REMOVE_RECURSE ${WORK}/cache)
  run("The example" ${CMAKE_COMMAND} -E env XDG_CACHE_HOME=${WORK}/cache LC_ALL=C
    ${WORK}/build/triad)
  if(NOT OUTPUT MATCHES "cannot be drawn|was not measured")
    break()
  endif()
endwhile()
message(STATUS "Attempts: ${attempts}\n${OUTPUT}")
expect("${OUTPUT}" "Roofline of .*: triad, FP64" "the example's output")
expect("${OUTPUT}" "DRAM [0-9.]+ [GT]B/s" "the example's output")
if(OUTPUT MATCHES "No counters: ([^\n]*)")
  expect("${CMAKE_MATCH_1}" "[a-z][a-z][a-z]" "the reason why nothing was counted")
  expect("${OUTPUT}" "An element takes 2 FLOP and 24 B" "the example's output")
  expect("${OUTPUT}" "~triad" "the example's output")
  expect("${OUTPUT}" "analytic, not counted" "the example's output")
else()
  expect_none("${OUTPUT}" "analytic" "the example's output, of what hardware counted")
endif()
expect_none("${OUTPUT}" "not drawn|no point|cannot be drawn" "the example's output")
file(GLOB caches ${WORK}/cache/roofline/ceilings-*.json)
expect("${caches}" "ceilings-(host|gpu)-" "the cache of ceilings")

file(REMOVE_RECURSE ${WORK})
