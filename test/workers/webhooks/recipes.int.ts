/** The TypeScript and Python recipes that docs/webhooks.md gives to integrators, run exactly as printed there. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { projectFile } from '../../support/root.js';
import { VECTOR_FILE, type SignatureVector } from '../../vectors/generate-webhook-signatures.js';

const vectors = JSON.parse(readFileSync(VECTOR_FILE, 'utf8')) as readonly SignatureVector[];
const document = readFileSync(projectFile('docs/webhooks.md'), 'utf8');
const expected = vectors.map(({ name, expect: verdict }) => [name, verdict === 'valid']);

function recipe(language: string): string {
  const block = new RegExp('```' + language + '\\n([\\s\\S]*?)```').exec(document)?.[1];
  if (block === undefined) throw new Error(`docs/webhooks.md has no ${language} recipe`);
  return block;
}

const PYTHON_CHECK = `
import json, sys
results = []
for v in json.load(open(sys.argv[1], encoding="utf-8")):
    time.time = lambda: v["now"]
    repeat = v.get("body_repeat")
    body = (repeat["unit"] * repeat["times"] if repeat else v["body"]).encode()
    ok = any(is_authentic(body, v["timestamp"], v["service_signature"], s) for s in v["receiver_secrets"])
    results.append([v["name"], ok])
print(json.dumps(results))
`;

describe('webhook recipes of the documentation', () => {
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'recipes-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('TypeScript', async () => {
    const file = join(folder, 'recipe.mjs');
    writeFileSync(file, transformSync(recipe('ts'), { loader: 'ts' }).code);
    const { isAuthentic } = (await import(pathToFileURL(file).href)) as {
      isAuthentic: (rawBody: Buffer, timestamp: string, signature: string, secret: string) => boolean;
    };
    const realNow = Date.now;
    try {
      const results = vectors.map((vector) => {
        Date.now = () => vector.now * 1000;
        const repeat = vector.body_repeat;
        const body = Buffer.from(repeat ? repeat.unit.repeat(repeat.times) : vector.body);
        const accepts = (secret: string) =>
          isAuthentic(body, vector.timestamp, vector.service_signature, secret);
        return [vector.name, vector.receiver_secrets.some(accepts)];
      });
      expect(results).to.deep.equal(expected);
    } finally {
      Date.now = realNow;
    }
  });

  it('Python', function () {
    const file = join(folder, 'recipe.py');
    writeFileSync(file, recipe('python') + PYTHON_CHECK);
    const run = spawnSync('python3', [file, VECTOR_FILE.pathname], { encoding: 'utf8' });
    if (run.error !== undefined) this.skip();
    expect(run.stderr).to.equal('');
    expect(JSON.parse(run.stdout)).to.deep.equal(expected);
  });
});
