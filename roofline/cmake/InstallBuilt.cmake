# install_if_built(<target> <argument of install(TARGETS)>...): installs a target if it was built,
# else prints a message, so that scripts can install after a partial build.
function(install_if_built target)
  install(TARGETS ${target} ${ARGN} OPTIONAL)
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
  message(STATUS \"Not installed, because it is not built: $<TARGET_FILE_NAME:${target}>; build it: cmake --build '${CMAKE_BINARY_DIR}' --target ${target}\")
endif()")
endfunction()
