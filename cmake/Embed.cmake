# gpp_embed(<target> <name> BASE <folder> FILES <file>...): adds the function
# gpp::embedded::<name>() to <target>. harness/program/embedded.h must declare it.
include(${CMAKE_SOURCE_DIR}/roofline/cmake/Embed.cmake)

function(gpp_embed target name)
  embed_files(${target} ${name} NAMESPACE gpp::embedded TYPE File HEADER harness/program/embedded.h
    ${ARGN})
endfunction()
