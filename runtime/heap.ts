/**
 * How far the heap may grow beyond what lives in it.
 *
 * V8 by itself waits until it has grown to several times of that before it collects all of it, the more so the more memory
 * the machine has: garbage then makes up most of what the process holds.
 */
import { setFlagsFromString } from 'node:v8';

const FLAG = '--heap-growing-percent';
const PERCENT = 40;

/**
 * To be called at the start. Who starts node with the flag has decided otherwise; 0 is V8's own way.
 * @returns the flag as it was set, null where it was left alone
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
