import { readFileSync } from 'node:fs';

/** The version in package.json, whether this runs from the sources or from the build. */
export function packageVersion(): string {
  for (const up of ['../package.json', '../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string };
      return found.version;
    } catch {
      // Not found here: try the next place.
    }
  }
  return '0.0.0';
}
