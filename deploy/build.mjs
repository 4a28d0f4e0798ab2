/**
 * Compiles the TypeScript sources, file by file, to dist/, and copies what they read at run time beside them.
 * Types are checked by `npm run typecheck`; this only strips them, so that a start costs a second at most.
 */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parse } from 'yaml';

const SOURCES = [
  'adapters',
  'api',
  'application',
  'cli',
  'domain',
  'ports',
  'projections',
  'runtime',
  'test',
  'workers',
];
const ASSETS = /\.(yaml|json|html|css|js|svg|woff2|txt)$/;

const sources = [];
const assets = [];
for (const folder of SOURCES) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    if (path.endsWith('.ts')) sources.push(path);
    else if (ASSETS.test(path)) assets.push(path);
  }
}
await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: sources,
  outdir: 'dist',
  outbase: '.',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'linked',
  logLevel: 'warning',
});
await Promise.all(assets.map((path) => cp(path, join('dist', path))));
// The contracts once more, in the form that loads fastest.
for (const contract of ['api/openapi.yaml', 'api/admin/openapi.yaml']) {
  const document = parse(await readFile(contract, 'utf8'));
  await writeFile(join('dist', contract.replace(/yaml$/, 'json')), JSON.stringify(document));
}
if (!process.argv.includes('--quiet')) process.stderr.write(`built ${sources.length} files\n`);
