import { gzipSync } from 'node:zlib';
import { connect } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { loadContract, operationsOf } from '../../api/contract.js';
import { changeStorePlan } from '../../application/store/settings.js';
import { ask, dataOf, fieldsOf, outcomeOf, type Ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { expectInvalid, expectRefused } from '../support/api/refused.js';
import { makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';

const MESSAGE = { recipient: { phone: '+5511987654321' }, type: 'text', content: { text: 'Olá' } };
const JSON_TYPE = { 'content-type': 'application/json' };
const concrete = (path: string): string =>
  path.replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');

describe('requests: paths, methods, headers and bodies', () => {
  const api = opened(makeApi);
  const world = opened(() => makeWorld(api.app));

  let count = 0;
  const send = (options: Ask): readonly [string, string, Ask] => {
    count += 1;
    const headers = { 'idempotency-key': `requests-${count}`, ...options.headers };
    return ['POST', '/messages', { key: world.key, ...options, headers }];
  };

  describe('paths and methods', () => {
    const unknown = ['', '/', '/nope', '/channels/x/y', '/CHANNELS', '/contacts/%zz', '/templates/%E0%A4%A'];
    for (const path of unknown) {
      it(`404 for ${path || 'the bare prefix'}`, () =>
        expectRefused(api, ['GET', path, { key: world.key }], 404, 'not_found'));
    }

    it('405 with Allow for a method the path does not have', async () => {
      const refused = (method: string, path: string, json?: object) =>
        expectRefused(api, [method, path, { key: world.key, json }], 405, 'method_not_allowed');
      expect((await refused('DELETE', '/messages')).headers.allow).to.equal('GET, POST, HEAD, OPTIONS');
      const executions = `/flows/${api.app.newId()}/executions`;
      expect((await refused('DELETE', executions)).headers.allow).to.equal('POST, OPTIONS');
      const other = await refused('POST', '/channels', {});
      expect(other.headers.allow).to.equal('GET, HEAD, OPTIONS');
      expect(other.body.error?.details['allow']).to.equal('GET, HEAD, OPTIONS');
    });

    it('answers OPTIONS with what is allowed, and HEAD as GET without the body', async () => {
      const options = await ask(api, 'OPTIONS', '/contacts/x', { key: world.key });
      expect([options.status, options.headers.allow]).to.deep.equal([204, 'GET, PATCH, HEAD, OPTIONS']);
      const get = await ask(api, 'GET', '/channels', { key: world.key });
      const head = await ask(api, 'HEAD', '/channels', { key: world.key });
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(head.headers['content-length']).to.equal(get.headers['content-length']);
      const missing = await ask(api, 'HEAD', '/contacts/x', { key: world.key });
      expect([missing.status, missing.text]).to.deep.equal([404, '']);
    });

    it('serves or announces as not built every operation of the contract', async () => {
      await changeStorePlan(api.app, { companyUuid: world.company, allowed: true }, { actor: 'admin' });
      // An integration without an endpoint keeps no events to list.
      const endpoint = { url: 'https://erp.example.com/hook' };
      const made = await ask(api, 'POST', '/webhooks', { key: world.key, json: endpoint });
      expect(made.status).to.equal(201);
      for (const { method, path, notImplemented } of operationsOf(loadContract().document)) {
        // A live stream would not end; it refuses a place in it that it can't read.
        const live = path === '/events/stream' ? '?after=nowhere' : '';
        const answer = await ask(api, method, concrete(path) + live, {
          key: world.key,
          ...(method === 'GET' ? {} : { json: {} }),
        });
        const where = `${method} ${path}: ${answer.text}`;
        if (notImplemented) {
          expect(outcomeOf(answer), where).to.deep.equal([501, 'not_implemented']);
        } else expect(answer.status, where).to.be.oneOf([200, 404, 422]);
      }
    });
  });

  describe('headers', () => {
    it('keeps a usable X-Request-Id and replaces any other', async () => {
      const answered = async (id: string) => {
        const headers = { 'x-request-id': id };
        return (await ask(api, 'GET', '/channels', { key: world.key, headers })).headers['x-request-id'];
      };
      expect(await answered('abc-1.2_3')).to.equal('abc-1.2_3');
      for (const bad of ['with space', 'a'.repeat(129), '<script>', '']) {
        expect(await answered(bad)).to.match(/^[0-9a-f-]{36}$/);
      }
    });

    it('forbids caching and rendering, and does not say what it runs on', async () => {
      for (const path of ['/channels', '/nope']) {
        const { headers } = await ask(api, 'GET', path, { key: world.key });
        expect(headers['cache-control']).to.equal('no-store');
        expect(headers['x-content-type-options']).to.equal('nosniff');
        expect(headers['content-security-policy']).to.contain("default-src 'none'");
        expect(headers).to.not.have.any.keys('x-powered-by', 'etag', 'server');
      }
    });

    it('serves the contract to everybody', async () => {
      const { status, body } = await ask(api, 'GET', '/openapi.json');
      expect(status).to.equal(200);
      expect(body).to.deep.equal(JSON.parse(loadContract().json));
    });

    it('wants the Idempotency-Key, once, 1 to 128 characters long', async () => {
      const keyless = ['POST', '/messages', { key: world.key, json: MESSAGE }] as const;
      const without = await expectRefused(api, keyless, 422, 'idempotency_key_required');
      expect(fieldsOf(without)).to.deep.equal([
        { path: 'header.Idempotency-Key', code: 'required', message: 'is required.' },
      ]);
      const cases: [string | string[], string][] = [
        ['', 'min_length'],
        ['a'.repeat(129), 'max_length'],
        [['one', 'two'], 'repeated'],
      ];
      const under = (value: string | string[]) =>
        send({ json: MESSAGE, headers: { 'idempotency-key': value } });
      for (const [value, code] of cases) {
        await expectInvalid(api, under(value), ['header.Idempotency-Key', code]);
      }
      for (const good of ['a'.repeat(128), 'one, two']) dataOf(await ask(api, ...under(good)), 202);
    });
  });

  describe('bodies', () => {
    const text = JSON.stringify(MESSAGE);
    const taken = async (options: Ask) => dataOf(await ask(api, ...send(options)), 202);

    for (const type of [
      'application/json',
      'application/json; charset=utf-8',
      'APPLICATION/JSON;charset="UTF8"',
    ]) {
      it(`takes ${type}`, () => taken({ raw: text, headers: { 'content-type': type } }));
    }

    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=latin1',
      'application/json-patch+json',
      'application/jsonx',
      'application/json; a=1; b=2',
      '',
    ];
    for (const type of types) {
      it(`415 for "${type}"`, async () => {
        const request = send({ raw: text, headers: { 'content-type': type } });
        const answer = await expectRefused(api, request, 415, 'unsupported_media_type');
        expect(answer.body.error?.details['received']).to.equal(type);
      });
    }

    it('415 for a body without a type, and for a compressed one, saying what it takes', async () => {
      await expectRefused(api, send({ raw: text }), 415, 'unsupported_media_type');
      const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
      const zipped = send({ raw: gzipSync(text), headers });
      const answer = await expectRefused(api, zipped, 415, 'unsupported_media_type');
      expect(answer.headers['accept-encoding']).to.equal('identity');
      expect(answer.body.error?.details['received']).to.equal('gzip');
    });

    it('413 for 2 MB, announced or not, and the connection goes on', async () => {
      const big = JSON.stringify({ ...MESSAGE, content: { text: 'x'.repeat(2 * 1024 * 1024) } });
      for (const headers of [JSON_TYPE, { ...JSON_TYPE, 'transfer-encoding': 'chunked' }]) {
        const { body } = await expectRefused(api, send({ raw: big, headers }), 413, 'payload_too_large');
        expect(body.error?.details['limit_bytes']).to.equal(1024 * 1024);
      }
      expect((await ask(api, 'GET', '/channels', { key: world.key })).status).to.equal(200);
    });

    it('takes a body just within the limit as far as validation', async () => {
      const frame = JSON.stringify({ ...MESSAGE, content: { text: '' } }).length;
      const json = { ...MESSAGE, content: { text: 'x'.repeat(1024 * 1024 - frame) } };
      const answer = await expectRefused(api, send({ json }), 422, 'validation_failed');
      expect(fieldsOf(answer)).to.deep.equal([
        { path: 'content.text', code: 'max_length', message: 'must have at most 4096 characters.' },
      ]);
    });

    const broken: [string, number][] = [
      ['{', 1],
      ['{"a":}', 5],
      ['{"a":1,}', 7],
      ['[1 2]', 3],
      ["{'a':1}", 1],
      ['{"a":1}x', 7],
      ['nul', 0],
      ['{"a":"line\nbreak"}', 10],
    ];
    for (const [raw, position] of broken) {
      it(`400 with the position ${position} for ${JSON.stringify(raw)}`, async () => {
        const { body } = await expectRefused(api, send({ raw, headers: JSON_TYPE }), 400, 'invalid_json');
        expect(body.error?.details['position']).to.equal(position);
      });
    }

    it('400 for bytes that are no UTF-8; a byte order mark is fine', async () => {
      const raw = Buffer.concat([
        Buffer.from(text.slice(0, -4)),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(text.slice(-4)),
      ]);
      await expectRefused(api, send({ raw, headers: JSON_TYPE }), 400, 'invalid_json');
      await taken({ raw: `\ufeff${text}`, headers: JSON_TYPE });
    });

    it('422 for an empty body where one is needed, whether or not a type is named', async () => {
      for (const options of [{}, { raw: '', headers: JSON_TYPE }]) {
        const answer = await expectRefused(api, send(options), 422, 'validation_failed');
        expect(fieldsOf(answer)).to.deep.equal([{ path: 'body', code: 'required', message: 'is required.' }]);
      }
    });

    for (const json of [null, [], 'text', 5, true]) {
      it(`422 for ${JSON.stringify(json)} instead of an object`, () =>
        expectInvalid(api, send({ json }), ['body', 'type']));
    }

    const prototype =
      '{"recipient":{"phone":"+5511987654321","__proto__":{"admin":true}},"type":"text","content":{"text":"x"}}';
    const hostile: [string, string, string, string][] = [
      ['a prototype key', prototype, 'recipient.__proto__', 'name_not_allowed'],
      [
        'an escaped prototype key',
        prototype.replace('__proto__', '\\u005f_proto__'),
        'recipient.__proto__',
        'name_not_allowed',
      ],
      ['half a surrogate pair', '{"content":{"text":"\\ud800"}}', 'content.text', 'text_invalid'],
      ['a NUL character', '{"content":{"text":"a\\u0000"}}', 'content.text', 'text_invalid'],
      ['a NUL character in a name', '{"content":{"te\\u0000xt":"a"}}', 'content', 'text_invalid'],
      [
        'nesting without end',
        `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
        `a${'[0]'.repeat(31)}`,
        'too_deep',
      ],
    ];
    for (const [what, raw, path, code] of hostile) {
      it(`422 for ${what}`, async () => {
        await expectInvalid(api, send({ raw, headers: JSON_TYPE }), [path, code]);
        expect(({} as { admin?: boolean }).admin).to.equal(undefined);
      });
    }

    it('takes letters written as escapes, pairs included', async () => {
      const raw = text.replace('Olá', 'Ol\\u00e1 \\ud83d\\ude00');
      await taken({ raw, headers: JSON_TYPE });
    });

    it('lists at most 50 fields of a body full of wrong ones', async () => {
      const json = {
        ...MESSAGE,
        ...Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`f${i}`, i])),
      };
      const answer = await expectRefused(api, send({ json }), 422, 'validation_failed');
      expect(fieldsOf(answer)).to.have.length(50);
    });

    it('ignores a body sent with GET', async () => {
      dataOf(await ask(api, 'GET', '/channels', { key: world.key, raw: '{', headers: JSON_TYPE }));
    });

    it('survives a caller that hangs up in the middle of a body', async () => {
      const { port, hostname, pathname } = new URL(api.url);
      const lines = api.log.length;
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST ${pathname}/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.key}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 500\r\nExpect: 100-continue\r\n\r\n',
      );
      // The response "100 Continue" shows that the server has begun to read.
      await once(socket, 'data');
      socket.write('{"recipient":');
      socket.destroy();
      await once(socket, 'close');
      for (let i = 0; i < 1_000 && api.log.length === lines; i += 1) await ask(api, 'GET', '/openapi.json');
      expect(api.log.slice(lines).map((line) => [line.level, line.fields['error_code']])).to.deep.equal([
        ['info', 'invalid_json'],
      ]);
    });
  });

  it('logs the path template and nothing that a caller wrote', async () => {
    const lines = api.log.length;
    await ask(api, 'GET', '/templates/maria-souza?x=joana', { key: world.key });
    const [line] = api.log.slice(lines);
    expect(line?.fields).to.include({
      method: 'GET',
      route: '/templates/{name}',
      status: 422,
      error_code: 'validation_failed',
    });
    expect(JSON.stringify(api.log)).to.not.match(/maria|joana|987654321/);
  });

  it('never failed in all of this', () => {
    expect(api.log.filter(({ level }) => level === 'error' || level === 'warn')).to.deep.equal([]);
  });
});
