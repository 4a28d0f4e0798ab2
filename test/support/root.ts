/** Files of the project, whether the tests run from their sources or from `dist/`. */
import { fileURLToPath } from 'node:url';

const ROOT = new URL(
  import.meta.url.includes('/dist/test/support/') ? '../../../' : '../../',
  import.meta.url,
);

/** The path of a file, or with a slash at its end of a folder. */
export const projectFile = (path: string): string => fileURLToPath(new URL(path, ROOT));
