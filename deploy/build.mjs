/**
 * Compiles the TypeScript sources, file by file, to dist/, and copies what they read at run time beside them.
 * Types are checked by `npm run typecheck`; this only strips them, so that a start costs a second at most.
 *
 * `--if-needed` leaves a build that is newer than everything it was made from, so that a command run beside a running
 * server does not pull its files away.
 */
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const SOURCES = [
  'adapters',
  'api',
  'application',
  'cli',
  'clients/typescript/src',
  'console/server',
  'domain',
  'ports',
  'projections',
  'read-models',
  'runtime',
  'sandbox',
  'store-page',
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

// The page of the console is bundled: its sources count as inputs, but are not compiled one by one.
const page = (await readdir('console', { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('server'))
  .map((entry) => join(entry.parentPath, entry.name));

/** Names the files of the build; its time is the build's. */
const MARKER = 'dist/.built';
const inputs = [
  ...sources,
  ...assets,
  ...page,
  'deploy/build.mjs',
  'deploy/compile-schemas.mjs',
  'package.json',
].sort();
if (process.argv.includes('--if-needed') && (await isFresh())) process.exit(0);

// Loaded from here on: a start whose build is fresh need not wait for them.
const { build } = await import('esbuild');
const { parse } = await import('yaml');
const { compileSchemas } = await import('./compile-schemas.mjs');

async function isFresh() {
  try {
    if ((await readFile(MARKER, 'utf8')) !== inputs.join('\n')) return false;
    const { mtimeMs } = await stat(MARKER);
    const times = await Promise.all(inputs.map(async (path) => (await stat(path)).mtimeMs));
    return times.every((time) => time < mtimeMs);
  } catch {
    return false;
  }
}

/** What node loads. */
const FOR_NODE = {
  platform: 'node',
  target: 'node20',
  format: 'esm',
  sourcemap: 'linked',
  // Node reads and keeps every map when it loads its module. Lines of a stack trace don't need the text of the sources.
  sourcesContent: false,
  logLevel: 'warning',
};

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: sources,
  outdir: 'dist',
  outbase: '.',
  ...FOR_NODE,
});
await build({
  entryPoints: [
    { in: 'console/main.tsx', out: 'app' },
    { in: 'console/style.css', out: 'app' },
  ],
  outdir: 'dist/console',
  bundle: true,
  // A file for each section, and for what they share.
  splitting: true,
  chunkNames: 'part-[hash]',
  minify: true,
  platform: 'browser',
  target: 'es2022',
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
});
await cp('console/icon.svg', 'dist/console/app.svg');
await writeWords();
await Promise.all(assets.map((path) => cp(path, join('dist', path))));
// The contracts once more, in the form that loads fastest.
for (const contract of ['api/openapi.yaml', 'api/admin/openapi.yaml']) {
  const document = parse(await readFile(contract, 'utf8'));
  await writeFile(join('dist', contract.replace(/yaml$/, 'json')), JSON.stringify(document));
}
await compileSchemas('dist');
await bundleServer('dist/runtime/main.js');
await writeFile(MARKER, inputs.join('\n'));
if (!process.argv.includes('--quiet')) process.stderr.write(`built ${sources.length} files\n`);

/**
 * Joins what `npm start` loads into a few files: node needs a third of a millisecond for each module that it looks up,
 * and there are over a thousand. The modules stay beside them, for the threads and processes that load one by its path
 * and for tests. Their own `import.meta.url` is theirs in the bundle, too: they read files that lie beside them.
 */
async function bundleServer(entry) {
  const folder = dirname(entry);
  const ownUrls = {
    name: 'own-urls',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        const code = await readFile(path, 'utf8');
        if (!code.includes('import.meta.url')) return null;
        const own = JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
        const contents = code.replaceAll('import.meta.url', `new URL(${own}, import.meta.url).href`);
        return { contents, loader: 'js', resolveDir: dirname(path) };
      }),
  };
  await build({
    entryPoints: [entry],
    outdir: folder,
    allowOverwrite: true,
    bundle: true,
    packages: 'external',
    // What is loaded only when it is used stays in files of its own.
    splitting: true,
    chunkNames: 'part-[hash]',
    // V8 keeps the text of a script, in two bytes a character if a comment has one `…`.
    minifyWhitespace: true,
    // An error that nobody catches shows its line.
    lineLimit: 120,
    plugins: [ownUrls],
    ...FOR_NODE,
  });
}

/** The texts of the console, one file for each language. */
async function writeWords() {
  const { outputFiles } = await build({
    entryPoints: ['console/words/all.ts'],
    bundle: true,
    write: false,
    format: 'esm',
  });
  const { WORDS } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const all = Object.entries(WORDS);
  await Promise.all(
    ['en', 'pt'].map((language, column) => {
      const texts = Object.fromEntries(all.map(([word, ofLanguages]) => [word, ofLanguages[column]]));
      return writeFile(`dist/console/words.${language}.json`, JSON.stringify(texts));
    }),
  );
}
