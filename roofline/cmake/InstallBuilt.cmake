# install_if_built(<target> <argument of install(TARGETS)>...): installs what was built. Where it was not,
# the installation goes on and says so: scripts that build a part can be followed by `cmake --install`.
function(install_if_built target)
  install(TARGETS ${target} ${ARGN} OPTIONAL)
  install(CODE "if(NOT EXISTS \"$<TARGET_FILE:${target}>\")
  message(STATUS \"Not installed, because it is not built: $<TARGET_FILE_NAME:${target}>; build it: cmake --build '${CMAKE_BINARY_DIR}' --target ${target}\")
endif()")
endfunction()

# install_shell_texts(<target>): the program that was built writes its manual page and its completion in
# shells while it is installed. Where it does not run, because it was built for another processor, the
# installation goes on without them and says so.
set(INSTALL_SHELL_TEXTS ${CMAKE_CURRENT_LIST_DIR}/InstallShellTexts.cmake)
function(install_shell_texts target)
  install(CODE "set(PROGRAM \"$<TARGET_FILE:${target}>\")
set(FOLDER \"${CMAKE_CURRENT_BINARY_DIR}/shell_texts\")
set(SHARE \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}\")
include(\"${INSTALL_SHELL_TEXTS}\")")
endfunction()
