/**
 * Limits how far the heap may grow beyond its live data, and how many threads help to collect it.
 *
 * By default, V8 lets it grow to several times that size before a full collection, and further on machines with more
 * memory. Most of the process's memory is then garbage. And it marks with as many threads as it has: on two cores,
 * everything else waits for them meanwhile.
 */
import { setFlagsFromString } from 'node:v8';

const FLAGS: Readonly<Record<string, number>> = {
  '--heap-growing-percent': 40,
  '--concurrent-marking-max-worker-num': 1,
};

/**
 * Must be called at the start. A flag on node's command line takes precedence; its value 0 is V8's default.
 * @returns the flags as they were set, without those that were left unchanged
 */
export function tuneHeap(
  execArgv: readonly string[] = process.execArgv,
  set: (flag: string) => void = setFlagsFromString,
): readonly string[] {
  const given = execArgv.map((argument) => argument.replaceAll('_', '-'));
  const flags = Object.entries(FLAGS)
    .filter(([flag]) => !given.some((argument) => argument.startsWith(flag)))
    .map(([flag, value]) => `${flag}=${value}`);
  flags.forEach((flag) => set(flag));
  return flags;
}
