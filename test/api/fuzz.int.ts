import { expect } from 'chai';
import fc from 'fast-check';
import { ask, type Answer } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { addTemplate, makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { runs } from '../support/soak.js';

const RUNS = runs(100);

/** Valid requests; the tests break each at one random place. */
const VALID = {
  text: {
    recipient: { phone: '+5511987654321', external_id: 'x' },
    type: 'text',
    content: { text: 'a', preview_url: true },
  },
  template: {
    recipient: { phone: '+14155552671' },
    type: 'template',
    content: {
      name: 'pedido',
      language: 'pt_BR',
      parameters: ['a', 'b'],
      header: { text: 'x' },
      buttons: [{ index: 0, value: 'x' }],
    },
  },
};

const paths = (value: unknown, at: string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? [at, ...Object.entries(value).flatMap(([key, child]) => paths(child, [...at, key]))]
    : [at];

function replaceAt(value: unknown, [key, ...rest]: readonly string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  copy[key] = replaceAt(copy[key], rest, replacement);
  return copy;
}

const broken = fc
  .constantFrom(VALID.text, VALID.template)
  .chain((valid) =>
    fc
      .tuple(
        fc.constantFrom(...paths(valid)),
        fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double()),
      )
      .map(([path, value]) => replaceAt(valid, path, value)),
  );

describe('input made up at random never gives a 5xx', () => {
  const api = opened(makeApi);
  const world = opened(() => makeWorld(api.app));
  before(async () => {
    await addTemplate(api.app, world, { name: 'pedido' });
  });

  function sane(answer: Answer): void {
    // The contract defines 501 for operations that are not implemented; it does not depend on the input.
    if (answer.status !== 501) expect(answer.status, answer.text).to.be.lessThan(500);
    if (answer.status >= 400) expect(answer.body.error?.code).to.match(/^[a-z_]+$/);
  }

  let count = 0;
  async function send(raw: string | Buffer): Promise<void> {
    count += 1;
    const before = await api.app.store.head();
    const answer = await ask(api, 'POST', '/messages', {
      key: world.key,
      raw,
      headers: { 'content-type': 'application/json', 'idempotency-key': `fuzz-${count}` },
    });
    sane(answer);
    expect((await api.app.store.head()) === before, answer.text).to.equal(answer.status !== 202);
  }

  it('messages with one thing wrong', () =>
    fc.assert(
      fc.asyncProperty(broken, (json) => send(JSON.stringify(json) ?? '')),
      { numRuns: RUNS },
    ));

  it('bodies of any JSON', () =>
    fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 5 }), (json) => send(json)),
      { numRuns: RUNS },
    ));

  it('bodies of any bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) => send(Buffer.from(bytes))),
      { numRuns: RUNS },
    ));

  it('any path, query and header', () => {
    const segment = fc.string({ unit: 'grapheme', maxLength: 20 }).map((text) => encodeURIComponent(text));
    const raw = fc.stringMatching(/^[!$-~]{0,30}$/).map((text) => text.replaceAll('#', ''));
    const path = fc.oneof(
      fc
        .tuple(fc.constantFrom('contacts', 'templates', 'operations', 'conversations'), segment)
        .map((p) => `/${p.join('/')}`),
      raw.map((text) => `/templates?${text}`),
      fc
        .tuple(fc.constantFrom('limit', 'after', 'query', 'status', 'channel_uuid'), raw)
        .map(([n, v]) => `/templates?${n}=${v}`),
      raw.map((text) => `/${text}`),
    );
    const header = fc.stringMatching(/^[ -~]{0,200}$/);
    return fc.assert(
      fc.asyncProperty(path, header, async (url, value) => {
        const headers = {
          'x-request-id': value,
          'idempotency-key': value,
          accept: value,
          'content-type': value,
        };
        sane(await ask(api, 'GET', url, { key: world.key, headers }));
        sane(await ask(api, 'POST', '/messages', { key: world.key, headers, raw: value }));
        sane(await ask(api, 'GET', '/channels', { headers: { authorization: value } }));
      }),
      { numRuns: RUNS },
    );
  });

  it('never failed in all of this', () => {
    expect(api.log.filter(({ level }) => level === 'error' || level === 'warn')).to.deep.equal([]);
  });
});
