#!/bin/sh
# What README.md shows is what Braid prints. readme.sh COMMAND SOURCE: COMMAND takes the place of build/braid.
#
# A block behind a line `<!-- braid ARGUMENTS -->` must stand, line for line, in the output of that command; indentation
# does not count, and a line `…` leaves out any number of lines.
set -eu
command=$1
cd "$2"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk -v work="$work" '
  /^<!-- braid .* -->$/ { ++n; sub(/^<!-- braid /, ""); sub(/ -->$/, ""); print > (work "/" n ".command"); next }
  /^```/ { if (inside) { inside = 0; n_open = 0 } else { inside = 1; n_open = (n != last) ? n : 0; last = n }; next }
  inside && n_open { print > (work "/" n_open ".block") }
' README.md

count=0
for arguments in "$work"/*.command; do
  block=${arguments%.command}.block
  # shellcheck disable=SC2046
  "$command" $(cat "$arguments") > "$work/output"
  awk '
    { sub(/^[ \t]+/, ""); sub(/[ \t]+$/, "") }
    NR == FNR { shown[++shownCount] = $0; next }
    { printed[++printedCount] = $0 }
    END {
      for (start = 1; start <= printedCount; ++start) {
        at = start; gap = 0
        for (i = 1; i <= shownCount; ++i) {
          if (shown[i] == "…") { gap = 1; continue }
          if (gap) while (at <= printedCount && printed[at] != shown[i]) ++at
          gap = 0
          if (at > printedCount || printed[at] != shown[i]) { if (i > best) { best = i; line = shown[i] }; break }
          ++at
        }
        if (i > shownCount) exit 0
      }
      print "not printed: " line
      exit 1
    }' "$block" "$work/output" || { echo "README.md, braid $(cat "$arguments")" >&2; exit 1; }
  count=$((count + 1))
done
[ "$count" -ge 3 ] || { echo "README.md has only $count blocks to check" >&2; exit 1; }
echo "$count blocks are as printed"
