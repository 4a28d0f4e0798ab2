#!/usr/bin/env bash
# Runs a command and says what it took, in seconds of the clock and of the processors, with all that it started.
set -uo pipefail
TIMEFORMAT='took %0R s, CPU %0U s user + %0S s system'
time "$@"
