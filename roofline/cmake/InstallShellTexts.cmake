# PROGRAM writes its manual page and its completion in shells into FOLDER, and they are installed below SHARE.
cmake_path(GET PROGRAM FILENAME name)
string(RANDOM LENGTH 8 own)  # two installations at a time do not meet
set(FOLDER ${FOLDER}/${own})
if(EXISTS ${PROGRAM})
  foreach(text "manual|man/man1/${name}.1" "completion bash|bash-completion/completions/${name}"
      "completion zsh|zsh/site-functions/_${name}"
      "completion fish|fish/vendor_completions.d/${name}.fish")
    string(REGEX MATCH "^(.*)[|](.*)/([^/]*)$" matched ${text})
    set(place ${CMAKE_MATCH_2})
    set(file ${FOLDER}/${CMAKE_MATCH_2}/${CMAKE_MATCH_3})
    separate_arguments(words UNIX_COMMAND ${CMAKE_MATCH_1})
    file(MAKE_DIRECTORY ${FOLDER}/${place})
    execute_process(COMMAND ${PROGRAM} ${words} OUTPUT_FILE ${file} ERROR_VARIABLE errors
      RESULT_VARIABLE status)
    if(status EQUAL 0)
      file(INSTALL ${file} DESTINATION ${SHARE}/${place})
    else()
      message(STATUS "Not installed, because ${name} does not run here (${status}): ${place}")
    endif()
  endforeach()
  file(REMOVE_RECURSE ${FOLDER})
endif()
