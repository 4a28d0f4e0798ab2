/** Tests of `must-end.ts`: it detects leftovers in a single process and in parallel workers, and names the file. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const fileHere = (name: string): string =>
  fileURLToPath(new URL(name + extname(import.meta.filename), import.meta.url));

describe('what tests leave behind', function () {
  this.timeout(120_000);

  async function mocha(...args: string[]): Promise<{ code: number | null; said: string }> {
    const files = ['leaves-a-timer', 'leaves-nothing'].map((name) =>
      fileHere(`../fixtures/must-end/${name}`),
    );
    const child = spawn(
      process.execPath,
      [...process.execArgv, MOCHA, '--no-config', '--require', fileHere('must-end'), ...args, ...files],
      { env: { PATH: process.env['PATH'], MUST_END_MS: '200' }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  }

  it('fails the file in its worker, and no other file', async () => {
    const { code, said } = await mocha('--parallel', '--jobs', '2');
    expect(said).to.match(/must-end\/leaves-a-timer\.[jt]s left behind .*: 1 Timeout\. Close it/);
    expect(said).to.not.match(/leaves-nothing\.[jt]s left behind/);
    expect(said).to.include('2 passing').and.include('1 failing');
    expect(code).to.equal(1);
  });

  it('fails a run in one process, and ends it', async () => {
    const { code, said } = await mocha();
    expect(said).to.match(
      /leaves-a-timer\.[jt]s, .*leaves-nothing\.[jt]s left behind .*: 1 Timeout\. Close it/,
    );
    expect(said).to.include('2 passing').and.include('1 failing');
    expect(code).to.equal(1);
  });
});
