#!/usr/bin/env bash
# Runs a command and prints its elapsed time and its CPU time in seconds, including all processes that it started.
set -uo pipefail
TIMEFORMAT='took %0R s, CPU %0U s user + %0S s system'
time "$@"
