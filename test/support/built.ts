/** Built programs for tests that start processes: they load in a third of the time that sources take. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectFile } from './root.js';

/** Tests that run from `dist/` never rebuild: a rebuild would delete the files that they run from. */
const FROM_BUILD = import.meta.url.includes('/dist/test/support/');
let building: Promise<unknown> | undefined;

/**
 * Returns the path of the built program. When tests run from the sources, it first rebuilds if files have changed since
 * the last build.
 * @param source such as `cli/main.ts`
 */
export async function built(source: string): Promise<string> {
  if (!FROM_BUILD)
    building ??= promisify(execFile)(process.execPath, ['deploy/build.mjs', '--if-needed', '--quiet'], {
      cwd: projectFile('./'),
    });
  await building;
  return projectFile(`dist/${source.replace(/ts$/, 'js')}`);
}
