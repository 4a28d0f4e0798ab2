/**
 * Bundles test files and every project file that they import into one module, with the mutants woven in. One process
 * can evaluate the bundle repeatedly, which it cannot do with source files under a loader.
 */
import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

export interface Bundle {
  readonly url: string;
  /** By test file: the source files that it imports, directly or not. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>;
}

export async function bundle(
  testFiles: readonly string[],
  woven: ReadonlyMap<string, string>,
  outfile: string,
): Promise<Bundle> {
  const entries = testFiles.map((file) => `${JSON.stringify(file)}: () => import('./${file}'),`);
  const { metafile } = await build({
    stdin: { contents: `export const files = {\n${entries.join('\n')}\n};`, resolveDir: process.cwd() },
    outfile,
    bundle: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    keepNames: true,
    logLevel: 'error',
    plugins: [wovenSources(woven)],
  });
  const imports = new Map(testFiles.map((file) => [file, reachableFrom(file, metafile.inputs)]));
  return { url: pathToFileURL(outfile).href, imports };
}

const wovenSources = (woven: ReadonlyMap<string, string>): Plugin => ({
  name: 'woven-sources',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = woven.get(relative(process.cwd(), path)) ?? (await readFile(path, 'utf8'));
      return { contents: atItsPlace(text, path), loader: 'ts' };
    });
  },
});

/** A source file resolves the files beside it by its own address, not by the bundle's. */
const atItsPlace = (text: string, path: string): string =>
  text
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
    .replaceAll('import.meta.filename', JSON.stringify(path))
    .replaceAll('import.meta.dirname', JSON.stringify(resolve(path, '..')));

type Inputs = Readonly<Record<string, { readonly imports: readonly { readonly path: string }[] }>>;

function reachableFrom(file: string, inputs: Inputs): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { path: imported } of inputs[path]?.imports ?? []) open.push(imported);
  }
  return reached;
}
