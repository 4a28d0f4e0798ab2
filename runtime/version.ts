import { readFileSync } from 'node:fs';

/** Of the package, whether this runs from its sources or from its build. */
export function packageVersion(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string };
      return found.version;
    } catch {
      // The other place, then.
    }
  }
  return '0.0.0';
}
