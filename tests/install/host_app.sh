#!/bin/sh
# Installs a build, then configures, builds and runs examples/host_app against what was installed.
# host_app.sh CMAKE SOURCE BUILD CONFIG CXX_FLAGS
set -eu
cmake=$1 source=$2 build=$3 config=$4 flags=$5
prefix=$build/installed
rm -rf "$prefix" "$build/host_app"
"$cmake" --install "$build" --prefix "$prefix" > /dev/null
"$cmake" -S "$source/examples/host_app" -B "$build/host_app" -DCMAKE_BUILD_TYPE="$config" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="$flags" > /dev/null
"$cmake" --build "$build/host_app" > /dev/null
"$build/host_app/host_app"
