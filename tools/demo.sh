#!/bin/sh
# The main job, seen: the QKV split with rotary embedding becomes one kernel, which runs (on a GPU if there is one, else
# on the host executor) and is compared with the reference bit for bit.
set -eu
cd "$(dirname "$0")/.."
tools/setup.sh
. build/environment.sh
{
  cmake --preset release
  cmake --build build --target braid_tool
} > build/demo.log 2>&1 || { cat build/demo.log >&2; exit 1; }

fusion=examples/seed_qkv_rope.fusion
sizes="--dim B=2 --dim T=1024"
title() { printf '\n=== %s\n' "$*"; }

title "The fusion"
build/braid opt $fusion --stop-after=parse
title "The fusion after move_pad"
build/braid opt $fusion --stop-after=move_pad --stats
title "Its segments"
# shellcheck disable=SC2086
build/braid compile $fusion $sizes --emit=segments
title "The CUDA text"
# shellcheck disable=SC2086
build/braid compile $fusion $sizes --emit=cuda
title "The run"
# shellcheck disable=SC2086
build/braid run $fusion $sizes --check
