#!/bin/sh
# Sets up, builds everything, checks the formatting and passes the tests. Further arguments go to ctest (-R NAME, …).
set -eu
cd "$(dirname "$0")/.."
tools/setup.sh
. build/environment.sh
tools/format.sh --check
cmake --preset release
cmake --build --preset release
ctest --preset release --parallel "$(nproc)" "$@"
