# shellcheck shell=bash
# Shared by scripts/study and scripts/test; not a program of its own.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

say() { printf '==> %s\n' "$*"; }

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

has() { command -v "$1" >/dev/null; }

# generator: the build tool for which CMake writes files: Ninja, or else Make; empty without both.
generator() {
  if has ninja || has ninja-build || has samu; then
    echo Ninja
  elif has make || has gmake; then
    echo Unix Makefiles
  fi
}

# cached NAME: the value in the build folder's settings.
cached() { [[ ! -f $build/CMakeCache.txt ]] || sed -n "s/^$1:INTERNAL=//p" "$build/CMakeCache.txt"; }

# A build folder contains absolute paths, so it works only in its own place.
require_own_build_folder() {
  local sources made
  sources=$(cached CMAKE_HOME_DIRECTORY)
  made=$(cached CMAKE_CACHEFILE_DIR)
  [[ $sources -ef $root && $made -ef $build ]] ||
    fail "$build was made as $made for the sources in $sources, and the tree was copied or moved" \
      "since: remove it (rm -r '$build'), and it is made anew"
}

# configure_build SETTING...: configures the build folder, or changes only these settings of an
# existing one. Environment variables GPP_* are settings as well: GPP_CUDA=OFF scripts/study. Only
# CI changes compile lines, so one build serves every script.
configure_build() {
  local name made_by
  for name in "${!GPP_@}"; do set -- "$@" "-D$name=${!name}"; done
  case ${CI-} in
    '' | 0 | false) ;;
    # CI's new folders never use a GPU, so code for one architecture is enough.
    *) [[ -f $build/CMakeCache.txt ]] || set -- -DCMAKE_CUDA_ARCHITECTURES=90 "$@"
      set -- "$@" -DGPP_WERROR=ON ;;
  esac
  if [[ -f $build/CMakeCache.txt ]]; then
    require_own_build_folder
    cmake -S "$root" -B "$build" "$@" >/dev/null
  else
    made_by=$(generator)
    cmake -S "$root" --preset default -B "$build" ${made_by:+-G "$made_by"} "$@" >/dev/null
  fi
}

# Configures without tests. An existing configuration is kept.
configure_program() {
  if [[ -f $build/CMakeCache.txt ]]; then
    configure_build
  else
    configure_build -DGPP_TESTS=OFF
  fi
}

# Tests compile CUDA if there is a compiler, with or without a GPU, unless CUDA was switched off.
configure_tests() {
  local cuda=()
  [[ ! -x $(PATH=$PATH:/usr/local/cuda/bin command -v nvcc) ]] ||
    grep -qs '^GPP_CUDA:STRING=OFF$' "$build/CMakeCache.txt" || cuda=(-DGPP_CUDA=ON)
  configure_build -DGPP_TESTS=ON "${cuda[@]}"
}

# announce_build CORE_SECONDS GIGABYTES REST: prints the cost of a full build before it starts. REST
# describes what comes after it.
announce_build() {
  [[ -x $build/gpp ]] ||
    say "Building from nothing takes about $(($1 / $(nproc) / 60 + 1)) minutes on $(nproc) cores and $2 GB in build/; $3"
}

# build_targets TARGET...: builds the targets with all cores.
build_targets() { cmake --build "$build" --parallel "$(nproc)" --target "$@"; }
