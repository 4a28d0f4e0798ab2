import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { built } from '../../support/built.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

/** Never ends loading in a thread, and says something on the channel of a process that has one. */
const PRELOADED = `data:text/javascript,${encodeURIComponent(
  "import { isMainThread } from 'node:worker_threads';" +
    "process.send?.('loaded');" +
    'if (!isMainThread) await new Promise(() => undefined);',
)}`;

describe('embedded store: a module that is preloaded into the server', () => {
  const folder = openedForEach(tempFolder);

  it('is not loaded into the thread that copies the log, nor into the process that works on the file', async function () {
    this.timeout(120_000);
    const child = await built('test/adapters/embedded/preloaded-child.ts');
    const path = join(folder.path, 'recado.db');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', PRELOADED, child, path]);
    expect(stdout.trim().split('\n')).to.deep.equal(['left in the log: 0', 'pages with slack: []']);
  });
});
