/** `npm run test:soak`: the files whose tests draw their cases, with more cases, from a seed that the run prints. */
const { readFileSync } = require('node:fs');
const all = require('./.mocharc.all.cjs');

const draws = (path) => /fast-check|support\/soak\.js|conformance\//.test(path + readFileSync(path, 'utf8'));

module.exports = { ...all, spec: all.spec.filter((path) => /\.(unit|int)\.js$/.test(path) && draws(path)) };
