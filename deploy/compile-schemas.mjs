/** Writes the validators of all event types as code, in place of the empty module that the sources have. */
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import standaloneCode from 'ajv/dist/standalone/index.js';

/** @param {string} dist folder of a build whose modules are compiled already */
export async function compileSchemas(dist) {
  const load = (path) => import(pathToFileURL(resolve(dist, path)).href);
  const { eventDefinitions } = await load('domain/catalog.js');
  const { createEventAjv } = await load('domain/kernel/schema-registry.js');
  const ajv = createEventAjv({ source: true, esm: true });
  const types = eventDefinitions.map(({ type }) => type);
  for (const { type, schema } of eventDefinitions) ajv.addSchema(schema, type);
  const code = standaloneCode.default(ajv, Object.fromEntries(types.map((type) => [type, type])));
  const named = `${code}\nexport const compiledSchemas = { ${types.join(', ')} };\n`;
  await build({
    // The code requires the formats and a few functions of ajv: they become a part of the module.
    stdin: { contents: named, resolveDir: process.cwd(), sourcefile: 'compiled-schemas.js' },
    outfile: join(dist, 'domain/compiled-schemas.js'),
    bundle: true,
    allowOverwrite: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minify: true,
    logLevel: 'warning',
  });
}
