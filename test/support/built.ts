/** Programs of the build, for tests that start processes: they load in a third of the time. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { projectFile } from './root.js';

/** Tests of the build take it as it is: another one would pull their own files away. */
const FROM_BUILD = import.meta.url.includes('/dist/test/support/');
let building: Promise<unknown> | undefined;

/**
 * Names the program's file. Where tests run from the sources it builds first what was changed since the last build.
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
