/**
 * Limits how far the heap may grow beyond its live data.
 *
 * By default, V8 lets it grow to several times that size before a full collection, and further on machines with more
 * memory. Most of the process's memory is then garbage.
 */
import { setFlagsFromString } from 'node:v8';

const FLAG = '--heap-growing-percent';
const PERCENT = 40;

/**
 * Must be called at the start. A flag on node's command line takes precedence; its value 0 is V8's default.
 * @returns the flag as it was set, null where it was left unchanged
 */
export function keepHeapSmall(
  execArgv: readonly string[] = process.execArgv,
  set: (flag: string) => void = setFlagsFromString,
): string | null {
  if (execArgv.some((argument) => argument.replaceAll('_', '-').startsWith(FLAG))) return null;
  const flag = `${FLAG}=${PERCENT}`;
  set(flag);
  return flag;
}
