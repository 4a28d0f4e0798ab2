/**
 * `npm test`: every unit, integration and end-to-end test, from the build. Mocha hands the files to its workers in the
 * order of `spec`: the slowest first, so that none waits for another one at the end. Three of them keep two cores busy,
 * since each waits for timers and sockets a third of its time.
 */
const { accessSync, constants, readdirSync, statfsSync } = require('node:fs');
const { join } = require('node:path');
const slowFirst = require('./test/slow-first.json');
const shared = require('./.mocharc.json');

const TEST = /\.(unit|int|e2e)\.ts$/;
/** In a browser, and so slow: a run of its own (.mocharc.console.cjs). */
const CONSOLE = /^test\/console\/.*\.e2e\.ts$/;
const tests = readdirSync('test', { recursive: true })
  .map((name) => join('test', name))
  .filter((path) => TEST.test(path) && !CONSOLE.test(path))
  .sort();

const gone = slowFirst.filter((path) => !tests.includes(path));
if (gone.length > 0) throw new Error(`test/slow-first.json names what is not there: ${gone.join(', ')}`);

// Where memory can be had as a folder, no commit waits for a disk that nothing in these tests looks at. Tests of what a
// killed process leaves behind see the same there.
const MEMORY = '/dev/shm';
const MEMORY_BYTES = 4 * 2 ** 30;
function hasRoom(path) {
  try {
    accessSync(path, constants.W_OK);
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize >= MEMORY_BYTES;
  } catch {
    return false;
  }
}
if (process.env.TMPDIR === undefined && hasRoom(MEMORY)) process.env.TMPDIR = MEMORY;

const built = (path) => join('dist', path.replace(/ts$/, 'js'));

module.exports = {
  ...shared,
  extension: ['js'],
  // What tests make is soon garbage: collected in larger pieces, it costs less.
  'node-option': ['max-semi-space-size=64', 'min-semi-space-size=64'],
  require: [
    ...shared.require,
    'test/support/source-lines.ts',
    ...(process.env.RECADO_TIMES === 'on' ? ['test/support/file-times.ts'] : []),
  ].map(built),
  spec: [...new Set([...slowFirst, ...tests])].map(built),
  parallel: true,
  jobs: 3,
};
