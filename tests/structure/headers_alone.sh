#!/bin/sh
# Every header compiles by itself: it includes what it uses. headers_alone.sh CXX SOURCE
set -eu
cxx=$1
cd "$2"
find csrc -name '*.h' | sort |
  xargs -P "$(nproc)" -I{} "$cxx" -std=c++20 -fsyntax-only -x c++ -Icsrc -Icsrc/api -include {} /dev/null
