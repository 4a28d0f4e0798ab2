# Parts of the gate: each is timed, held to a budget (over it: a warning), ended at a limit, and counted.
# A part NAME leaves in $log: NAME.out, NAME.time, NAME.status.
passed=0 failed=0 skipped=0
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
# Shown at the end: a long log is often kept, or read, by its end only.
: >"$log/failures" && : >"$log/table" && : >"$log/skips"

plain() { sed -u 's/\x1b\[[0-9;]*m//g'; }

# failure NAME WHY: one that no suite has counted.
failure() {
  failed=$((failed + 1))
  echo "FAILED: $1: $2"
  { echo "== $1: $2"; tail -60 "$log/$1.out" 2>/dev/null; } >>"$log/failures"
}

# limited LIMIT COMMAND: also a function of the gate, which `timeout` can't start by itself.
limited() {
  local limit=$1
  shift
  if [ "$(type -t "$1")" = function ]; then
    export -f "$1" wait_for
    export log
    timeout -k 20 "$limit" bash -c "$1"
  else
    timeout -k 20 "$limit" "$@"
  fi
}

# part NAME BUDGET LIMIT COMMAND: runs it now and shows what it says. Leaves $status.
part() {
  local name=$1 budget=$2 limit=$3
  shift 3
  echo "== $name"
  local TIMEFORMAT='%0R %0U %0S'
  { time limited "$limit" "$@" 2>&1 | plain | tee "$log/$name.out"; status=${PIPESTATUS[0]}; } 2>"$log/$name.time"
  echo "$status" >"$log/$name.status"
  [ "$budget" = 0 ] || row "$name" "$budget"
  if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then echo "$name was ended after $limit s, its limit."; fi
}

declare -A budgets pids
# beside NAME BUDGET LIMIT COMMAND: runs it beside what comes next.
beside() {
  local name=$1 limit=$3
  budgets[$name]=$2
  shift 3
  (
    TIMEFORMAT='%0R %0U %0S'
    { time limited "$limit" "$@" >"$log/$name.out" 2>&1; } 2>"$log/$name.time"
    echo $? >"$log/$name.status"
  ) &
  pids[$name]=$!
}

# wait_for NAME: from a part that runs beside another one.
wait_for() {
  until [ -e "$log/$1.status" ]; do sleep 1; done
}

# settled NAME…: waits for what ran beside; its failure is shown, and leads to tests that are skipped.
settled() {
  local name
  for name in "$@"; do
    wait "${pids[$name]}"
    echo "== $name"
    tail -20 "$log/$name.out"
    row "$name" "${budgets[$name]}"
  done
}

# checked NAME…: the same for checks without a count of their own.
checked() {
  local name
  for name in "$@"; do
    settled "$name"
    status=$(cat "$log/$name.status")
    if [ "$status" = 0 ]; then passed=$((passed + 1)); else failure "$name" "ended with $status"; fi
  done
}

# count NAME: adds up what Mocha said. A run that ends badly without a count is a failure.
count() {
  local name=$1 out="$log/$1.out" p f s
  status=$(cat "$log/$name.status")
  p=$(grep -Eo '^ *[0-9]+ passing' "$out" | tail -1 | grep -Eo '[0-9]+')
  f=$(grep -Eo '^ *[0-9]+ failing' "$out" | tail -1 | grep -Eo '[0-9]+')
  s=$(grep -Eo '^ *[0-9]+ pending' "$out" | tail -1 | grep -Eo '[0-9]+')
  passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
  grep -E 'SKIPPED|^ +- ' "$out" | sed "s/^ */$name: /" >>"$log/skips"
  if [ "${f:-0}" -gt 0 ]; then
    { echo "== $name"; sed -n '/^ *[0-9][0-9]* failing/,$p' "$out" | head -200; } >>"$log/failures"
  elif [ "$status" != 0 ]; then
    failure "$name" "ended with $status"
  elif [ -z "$p$s" ]; then
    failure "$name" "ran no test"
  fi
}

# real_part NAME: cuts it out of what the part "real" said. `== real: NAME` begins it, `… ended with N` ends it.
real_part() {
  local name="real $1"
  sed -n "/^== real: $1\$/,/^== real: $1 ended with /p" "$log/real.out" >"$log/$name.out"
  sed -n "s/^== real: $1 ended with //p" "$log/$name.out" >"$log/$name.status"
  if [ ! -s "$log/$name.status" ]; then
    echo "no result" >"$log/$name.status"
    tail -30 "$log/real.out" >>"$log/$name.out"
  fi
  sed -nE 's/^took ([0-9]+) s, CPU ([0-9]+) s user \+ ([0-9]+) s system$/\1 \2 \3/p' "$log/$name.out" >"$log/$name.time"
  row "$name" "$(sed -n "s/^== real: $1 has a budget of \([0-9]*\) s$/\1/p" "$log/real.out")"
  count "$name"
}

# row NAME BUDGET: a line of the table.
row() {
  local name=$1 budget=${2:-0} seconds=0 user=0 system=0 note=""
  read -r seconds user system < <(tail -1 "$log/$name.time")
  if [ "${seconds:-0}" -gt "$budget" ] && [ "$budget" -gt 0 ]; then
    note="over its budget"
    echo "WARNING: $name took $seconds s, its budget is $budget s."
  fi
  printf '%-18s %8s %8s %8s  %s\n' "$name" "${seconds:-?}" "$((${user:-0} + ${system:-0}))" "$budget" "$note" >>"$log/table"
}

finish() {
  echo
  echo "== parts"
  printf '%-18s %8s %8s %8s\n' part seconds "CPU s" budget
  cat "$log/table"
  printf '%-18s %8s %17s\n' "all" "$SECONDS" 2100
  if [ -s "$log/skips" ]; then
    echo
    echo "== what was skipped"
    sort -u "$log/skips"
  fi
  if [ -s "$log/failures" ]; then
    echo
    echo "== what failed"
    cat "$log/failures"
  fi
  echo
  echo "$passed passed, $failed failed, $skipped skipped"
  # After an install that failed: what runs beside it.
  kill "${pids[@]}" 2>/dev/null
  [ "$failed" -eq 0 ]
  exit
}
