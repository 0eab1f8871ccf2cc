# The inputs, the lessons and the other texts are installed beside the programs. `cpack`, started in the
# build folder, builds both programs and packs what is installed as Debian packages.
install(DIRECTORY data/silicon DESTINATION share/gpp/data)
install(FILES data/README.md DESTINATION share/gpp/data)
install(DIRECTORY lessons DESTINATION share/gpp)
install(DIRECTORY docs DESTINATION share/doc/gpp-study FILES_MATCHING PATTERN *.md)
install(FILES README.md DESTINATION share/doc/gpp-study)
# {v14
install(FILES CITATION.cff DESTINATION share/doc/gpp-study)
# v14}
install(FILES LICENSE DESTINATION share/doc/gpp-study RENAME copyright)
install(FILES LICENSE DESTINATION share/doc/roofline RENAME copyright COMPONENT roofline)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "The gpp developers")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_BUILD_FOLDER ${CMAKE_BINARY_DIR})
set(CPACK_INSTALL_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/before_package.cmake)

set(processor "")
if(GPP_CPU)
  set(processor "\nBuilt with -march=${GPP_CPU}.")
endif()
set(CPACK_COMPONENTS_ALL gpp roofline)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Kernels measured and placed on a roofline")
set(CPACK_DEBIAN_GPP_DESCRIPTION "${PROJECT_DESCRIPTION}${processor}")
set(CPACK_DEBIAN_ROOFLINE_DESCRIPTION "Counters, ceilings and roofline models of any program${processor}")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Debian has a preprocessor in a package gpp, whose program has the same name as ours.
set(CPACK_DEBIAN_GPP_PACKAGE_NAME gpp-study)
set(CPACK_DEBIAN_GPP_PACKAGE_CONFLICTS gpp)
set(CPACK_DEBIAN_GPP_PACKAGE_SUGGESTS "git, openmpi-bin")
set(CPACK_DEBIAN_ROOFLINE_PACKAGE_NAME roofline)
set(CPACK_DEBIAN_ROOFLINE_PACKAGE_SUGGESTS "libfmt-dev, nlohmann-json3-dev")
include(CPack)
