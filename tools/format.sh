#!/bin/sh
# Formats every C++ file of the project; with --check it only says which are not, and fails if there are any.
set -eu
cd "$(dirname "$0")/.."
files=$(git ls-files --cached --others --exclude-standard '*.h' '*.cpp')
if [ "${1:-}" = --check ]; then
  # shellcheck disable=SC2086
  clang-format --dry-run --Werror $files
  echo "format: every file is as clang-format wants it"
else
  # shellcheck disable=SC2086
  clang-format -i $files
fi
