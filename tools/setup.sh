#!/bin/sh
# Makes a fresh Debian 12 machine ready to build and test Braid: installs what is missing, and nothing when all is there.
# Then finds NVRTC, the compiler of CUDA text. Without it Braid still builds and all but the NVRTC tests run.
#
# Writes build/environment.sh, which test.sh and demo.sh read; source it before running build/braid by hand.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: error: %s\n' "$*" >&2; exit 1; }

packages="g++ cmake ninja-build ccache clang-format libfmt-dev libcli11-dev nlohmann-json3-dev libxxhash-dev
          libgtest-dev libgmock-dev libbenchmark-dev"

# What a package is there for, whoever installed it: a program, a header or a CMake package file.
present() {
  case $1 in
    g++ | cmake | ccache | clang-format) command -v "$1" ;;
    ninja-build) command -v ninja ;;
    libfmt-dev) header fmt/format.h ;;
    libcli11-dev) header CLI/CLI.hpp ;;
    nlohmann-json3-dev) header nlohmann/json.hpp ;;
    libxxhash-dev) header xxhash.h ;;
    libgtest-dev) header gtest/gtest.h ;;
    libgmock-dev) header gmock/gmock.h ;;
    libbenchmark-dev) header benchmark/benchmark.h ;;
    python3-pip) python3 -m pip --version ;;
    *) false ;;
  esac > /dev/null 2>&1
}

header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo > /dev/null; then
    sudo "$@"
  else
    fail "installing needs root, and there is no sudo; as root, run: apt-get install$missing"
  fi
}

# install PACKAGE...: those that are missing.
install() {
  missing=
  for package; do
    present "$package" || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  command -v apt-get > /dev/null ||
    fail "missing:$missing (names as in Debian 12). There is no apt here: install them with this system's package manager"
  say "installing$missing"
  as_root apt-get update -qq
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing > /dev/null
}

# The toolkits that Braid itself looks into (csrc/runtime/nvrtc_api.cpp), and the loader's own path.
toolkit_nvrtc() {
  for root in "${CUDA_HOME:-}" "${CUDA_PATH:-}" /usr/local/cuda /usr/local/cuda-*; do
    [ -n "$root" ] || continue
    for library in "$root"/lib64/libnvrtc.so*; do
      [ -e "$library" ] && printf '%s\n' "$library" && return 0
    done
  done
  { ldconfig -p || /sbin/ldconfig -p; } 2> /dev/null | sed -n 's/^[[:space:]]*libnvrtc\.so.* => //p' | grep -m 1 .
}

wheel_nvrtc() {
  for library in build/nvrtc/nvidia/cuda_nvrtc/lib/libnvrtc.so*; do
    [ -e "$library" ] && printf '%s\n' "$library" && return 0
  done
  return 1
}

# The redistributable Python packages hold the same library as the toolkit.
download_nvrtc() {
  command -v python3 > /dev/null || return 1
  present python3-pip || (install python3-pip) || return 1
  rm -rf build/nvrtc
  mkdir -p build/nvrtc/wheels
  say "downloading NVRTC into build/nvrtc"
  python3 -m pip download --quiet --no-deps --dest build/nvrtc/wheels \
    nvidia-cuda-nvrtc-cu12 nvidia-cuda-runtime-cu12 || return 1
  for wheel in build/nvrtc/wheels/*.whl; do
    python3 -m zipfile -e "$wheel" build/nvrtc || return 1
  done
  rm -rf build/nvrtc/wheels
  wheel_nvrtc > /dev/null
}

# shellcheck disable=SC2086
install $packages
mkdir -p build
: > build/environment.sh
if [ -n "${BRAID_NVRTC:-}" ]; then
  say "NVRTC: $BRAID_NVRTC (from BRAID_NVRTC)"
elif found=$(toolkit_nvrtc); then
  say "NVRTC: $found"
elif wheel_nvrtc > /dev/null || download_nvrtc; then
  # The shell variable in the text below is for the reader of environment.sh.
  # shellcheck disable=SC2016
  printf 'export BRAID_PYTHON_SITE="%s/build/nvrtc${BRAID_PYTHON_SITE:+:$BRAID_PYTHON_SITE}"\n' "$PWD" > build/environment.sh
  say "NVRTC: $(wheel_nvrtc)"
else
  rm -rf build/nvrtc
  say "NVRTC was not found and could not be downloaded: compiling CUDA text is skipped, all else works"
fi
say "ready"
