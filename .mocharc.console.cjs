/** `npm run test:console`: the console in a browser, from the build. Two at a time: each drives a browser of its own. */
const { readdirSync } = require('node:fs');
const all = require('./.mocharc.all.cjs');

const spec = readdirSync('test/console')
  .filter((name) => name.endsWith('.e2e.ts'))
  .map((name) => `dist/test/console/${name.replace(/ts$/, 'js')}`);

module.exports = { ...all, spec, jobs: 2 };
