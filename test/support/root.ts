/** Paths of project files, both when tests run from sources and when they run from `dist/`. */
import { fileURLToPath } from 'node:url';

const ROOT = new URL(
  import.meta.url.includes('/dist/test/support/') ? '../../../' : '../../',
  import.meta.url,
);

/** Returns the path of a file, or of a folder when `path` ends with a slash. */
export const projectFile = (path: string): string => fileURLToPath(new URL(path, ROOT));
