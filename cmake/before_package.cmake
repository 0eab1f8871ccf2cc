# Run by `cpack` before it packs: with Ninja it would pack what happens to be built.
foreach(tool dpkg-shlibdeps file)
  find_program(found_${tool} ${tool})
  if(NOT found_${tool})
    message(FATAL_ERROR "A package names the packages that it needs, and ${tool}, which finds them, is not here: "
      "install the Debian packages dpkg-dev and file")
  endif()
endforeach()
execute_process(COMMAND ${CMAKE_COMMAND} -DGPP_EXTRAS=ON ${CPACK_BUILD_FOLDER} OUTPUT_QUIET)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${CPACK_BUILD_FOLDER} --target gpp roofline_tool
  RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "Nothing is packed, because the programs cannot be built")
endif()
