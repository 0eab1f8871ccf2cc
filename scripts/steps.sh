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

# generator: what CMake writes files for here: Ninja, or else Make. Nothing where neither is installed.
generator() {
  if has ninja || has ninja-build || has samu; then
    echo Ninja
  elif has make || has gmake; then
    echo Unix Makefiles
  fi
}

# cached NAME: that value of the build folder's settings.
cached() { [[ ! -f $build/CMakeCache.txt ]] || sed -n "s/^$1:INTERNAL=//p" "$build/CMakeCache.txt"; }

# A build folder knows the paths it was made with, and works nowhere else.
require_own_build_folder() {
  local sources made
  sources=$(cached CMAKE_HOME_DIRECTORY)
  made=$(cached CMAKE_CACHEFILE_DIR)
  [[ $sources -ef $root && $made -ef $build ]] ||
    fail "$build was made as $made for the sources in $sources, and the tree was copied or moved" \
      "since: remove it (rm -r '$build'), and it is made anew"
}

# configure_build SETTING...: sets up the build folder, or changes no more than these settings of one
# that is there. Variables of the environment whose names begin with GPP_ are settings as well:
# GPP_CUDA=OFF scripts/study. Nothing else but CI changes a compile line, so one build serves every script.
configure_build() {
  local name made_by
  for name in "${!GPP_@}"; do set -- "$@" "-D$name=${!name}"; done
  case ${CI-} in
    '' | 0 | false) ;;
    # A new folder of CI's runs nothing on a GPU: code for one kind of them is enough.
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

# Only the program is wanted, and of it what most ask for first; it builds the rest when that is asked for.
# What was set up already stays.
configure_program() {
  if [[ -f $build/CMakeCache.txt ]]; then
    configure_build
  else
    configure_build -DGPP_TESTS=OFF -DGPP_EXTRAS=OFF
  fi
}

# Tests compile CUDA where there is a compiler for it, GPU or not, unless it was switched off.
configure_tests() {
  local cuda=()
  [[ ! -x $(PATH=$PATH:/usr/local/cuda/bin command -v nvcc) ]] ||
    grep -qs '^GPP_CUDA:STRING=OFF$' "$build/CMakeCache.txt" || cuda=(-DGPP_CUDA=ON)
  configure_build -DGPP_TESTS=ON -DGPP_EXTRAS=ON "${cuda[@]}"
}

# announce_build CORE_SECONDS GIGABYTES REST: what a build from nothing takes, before it starts. REST says what
# comes after it.
announce_build() {
  [[ -x $build/gpp ]] ||
    say "Building from nothing takes about $(($1 / $(nproc) / 60 + 1)) minutes on $(nproc) cores and $2 GB in build/; $3"
}

# build_targets TARGET...: builds these on all cores.
build_targets() { cmake --build "$build" --parallel "$(nproc)" --target "$@"; }
