/** Headers as people have them: lines of a file, or options as in `curl -H`. */
import { usage } from '../failure.js';

/** By lower-case name; of a name that comes twice, the last value. */
export type HeaderLines = ReadonlyMap<string, string>;

/** @throws Failure when a line that is not empty has no name */
export function readHeaders(lines: readonly string[]): HeaderLines {
  const found = new Map<string, string>();
  for (const line of lines) {
    if (line.trim() === '' || /^(?:[A-Z]+ \S+ )?HTTP\/\d/.test(line)) continue;
    const at = line.indexOf(':');
    if (at < 1) throw usage(`"${line}" is no header.`, "Write it as 'Service-Timestamp: 1772366400'.");
    found.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
  }
  return found;
}
