# The packages that the build needs. CMake fetches missing ones while it configures: an official
# release, verified by its checksum. docs/install.md describes other ways.
include(FetchContent)

option(GPP_FETCH "Fetch CLI11, fmt, nlohmann-json and GoogleTest where they are not found" ON)

# gpp_package(<name for find_package> <archive> <checksum> <Debian's packages>): how to get a package. Address and checksum can
# be replaced by those of a mirror. docs/install.md has the names of other distributions.
function(gpp_package name url sha256 debian)
  set(GPP_FETCH_${name}_URL ${url} CACHE STRING "Where ${name} is fetched from")
  set(GPP_FETCH_${name}_SHA256 ${sha256} CACHE STRING "The checksum of what is fetched from there")
  mark_as_advanced(GPP_FETCH_${name}_URL GPP_FETCH_${name}_SHA256)
  set_property(GLOBAL PROPERTY GPP_PACKAGE_${name} ${debian})
endfunction()

gpp_package(CLI11 https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.4.1.tar.gz
  73b7ec52261ce8fe980a29df6b4ceb66243bb0b779451dbd3d014cfec9fdbb58 libcli11-dev)
gpp_package(fmt https://github.com/fmtlib/fmt/archive/refs/tags/10.1.1.tar.gz
  78b8c0a72b1c35e4443a7e308df52498252d1cefc2b08c9a97bc9ee6cfe61f8b libfmt-dev)
gpp_package(nlohmann_json https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz
  d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d nlohmann-json3-dev)
gpp_package(GTest https://github.com/google/googletest/archive/refs/tags/v1.16.0.tar.gz
  78c676fc63881529bf97bf9d45948d905a66833fbfa5318ea2cd7478cb98f399 "libgtest-dev libgmock-dev")

# gpp_stop(<problem> <name>...): stops with the problem and every way to get these packages.
function(gpp_stop problem)
  set(debian "")
  foreach(name IN LISTS ARGN)
    get_property(packages GLOBAL PROPERTY GPP_PACKAGE_${name})
    string(APPEND debian " ${packages}")
  endforeach()
  message(FATAL_ERROR "${problem}\n"
    "Any one of these ways gives them:\n"
    "  apt-get install${debian}   (Debian, Ubuntu; as root)\n"
    "  dnf, spack or conda, with the names in docs/install.md\n"
    "  -DCMAKE_PREFIX_PATH='FOLDER;...' with the folders that they are installed in\n"
    "  -DGPP_FETCH=ON, and CMake fetches them; GPP_FETCH_<name>_URL and GPP_FETCH_<name>_SHA256 name a "
    "mirror (file:///... as well)\n")
endfunction()

# gpp_archive(<archive> <name> <missing>...): downloads one of the missing packages unless it is already here.
function(gpp_archive archive name)
  set(url ${GPP_FETCH_${name}_URL})
  string(TOLOWER "${GPP_FETCH_${name}_SHA256}" expected)
  set(found "")
  if(EXISTS ${archive})
    file(SHA256 ${archive} found)
  endif()
  if(found STREQUAL expected)
    return()
  endif()
  message(STATUS "${name} was not found: fetching ${url}")
  file(DOWNLOAD ${url} ${archive} STATUS status INACTIVITY_TIMEOUT 60)
  file(SHA256 ${archive} found)
  if(NOT found STREQUAL expected)
    file(REMOVE ${archive})
    list(JOIN status ", " status)
    gpp_stop("${name} was not found, and what was fetched from ${url} (${status}) has the SHA256\n  ${found}\n\
instead of\n  ${expected}\n" ${ARGN})
  endif()
endfunction()

# gpp_need(<name>...): finds or fetches these packages for every later find_package.
function(gpp_need)
  set(missing "")
  foreach(name IN LISTS ARGN)
    find_package(${name} QUIET)
    if(NOT ${name}_FOUND)
      list(APPEND missing ${name})
    endif()
  endforeach()
  if(NOT missing)
    return()
  endif()
  if(NOT GPP_FETCH)
    list(JOIN missing ", " names)
    gpp_stop("Not found: ${names}. GPP_FETCH=OFF forbids fetching them." ${missing})
  endif()

  foreach(name IN LISTS missing)
    # CMake recognises an archive by its content, so a mirror's address may have any ending.
    set(archive ${CMAKE_BINARY_DIR}/fetched/${name}.tar.gz)
    gpp_archive(${archive} ${name} ${missing})
    FetchContent_Declare(${name} SYSTEM OVERRIDE_FIND_PACKAGE DOWNLOAD_EXTRACT_TIMESTAMP OFF
      URL ${archive} URL_HASH SHA256=${GPP_FETCH_${name}_SHA256})
    # find_package may find it from here on.
    set(CMAKE_DISABLE_FIND_PACKAGE_${name} OFF PARENT_SCOPE)
  endforeach()
  # Shared libraries link these packages too.
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  # An installed roofline library finds its packages beside itself. Old package releases obey these
  # settings only under a policy, and CMake 4 accepts their old minimum only with the other setting.
  set(FMT_INSTALL ON)
  set(JSON_Install ON)
  set(INSTALL_GTEST OFF)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
  set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
  FetchContent_MakeAvailable(${missing})
endfunction()
