#!/bin/sh
# Runs every command line of docs/tour.md as it stands. tour.sh COMMAND SOURCE: COMMAND takes the place of build/braid.
# What needs NVRTC is left out, and said, where there is none.
set -eu
command=$1
cd "$2"
sed -n 's/^build\/braid //p' docs/tour.md | while read -r arguments; do
  # shellcheck disable=SC2086
  if message=$("$command" $arguments 2>&1 > /dev/null); then continue; fi
  case $message in
    *NVRTC*"not found"*) echo "skipped without NVRTC: braid $arguments" ;;
    *) printf 'failed: braid %s\n%s\n' "$arguments" "$message" >&2; exit 1 ;;
  esac
done
