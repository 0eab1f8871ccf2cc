# shellcheck shell=bash
# What scripts/study and scripts/test share; not a program of its own.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build

say() { printf '==> %s\n' "$*"; }

fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# build_targets TARGET...: builds these on all cores.
build_targets() { cmake --build "$build" --parallel "$(nproc)" --target "$@"; }
