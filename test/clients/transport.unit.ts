import { expect } from 'chai';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  NotFoundError,
  OperationFailedError,
  OperationPendingError,
  PermissionError,
  RateLimitError,
  Recado,
  RecadoError,
  ServerError,
  TimeoutError,
  UnprocessableError,
  type Retry,
} from '../../clients/typescript/src/index.js';
import { broken, json, refused, scripted, silent, thrown, type Scripted } from './scripted.js';

const OPERATION = {
  uuid: '0198a6f0-0001-7000-8000-000000000001',
  type: 'message.send',
  status: 'queued',
  result: null,
  error: null,
};
const accepted = json(202, { data: OPERATION });
const TEXT = { recipient: { phone: '+5511987650001' }, type: 'text', content: { text: 'Olá' } } as const;

const keysOf = ({ asked }: Scripted): readonly (string | null)[] =>
  asked.map(({ headers }) => headers.get('idempotency-key'));

describe('client: a call', () => {
  it('is a request of the contract, and returns its body with the request id', async () => {
    const { recado, asked } = scripted([json(200, { data: { uuid: 'c' } })]);
    const { data, requestId, replayed } = await recado.contacts.upsert('erp/ 7', { phone: '+5511987650001' });
    expect([data, requestId, replayed]).to.deep.equal([{ uuid: 'c' }, 'req-1', false]);
    const [{ method, url, headers, body }] = asked as [(typeof asked)[0]];
    expect(`${method} ${url.href}`).to.equal(
      'PUT https://recado.example/api/v1/contacts/external/erp%2F%207',
    );
    expect(headers.get('authorization')).to.equal('Bearer key');
    expect(headers.get('content-type')).to.equal('application/json');
    expect(body).to.deep.equal({ phone: '+5511987650001' });
  });

  it('takes an answer without a body', async () => {
    const { recado, asked } = scripted([json(204, null)]);
    expect(await recado.store.products.delete('p', { version: 7 })).to.deep.equal({
      requestId: 'req-1',
      replayed: false,
    });
    expect(asked[0]?.headers.get('if-match')).to.equal('"7"');
  });

  for (const value of ['', '.', '..']) {
    it(`refuses ${JSON.stringify(value)} in a path, which would ask for another resource`, async () => {
      const { recado, asked } = scripted([accepted]);
      expect(await thrown(recado.contacts.get(value))).to.be.instanceOf(RecadoError);
      expect(asked).to.have.length(0);
    });
  }

  it('needs a key and an address', () => {
    expect(() => new Recado({ apiKey: '', baseUrl: 'https://recado.example/api/v1' })).to.throw(/apiKey/);
    expect(() => new Recado({ apiKey: 'key', baseUrl: 'recado.example' })).to.throw(/baseUrl/);
  });
});

describe('client: errors', () => {
  for (const [status, code, Class] of [
    [401, 'unauthenticated', AuthenticationError],
    [403, 'insufficient_scope', PermissionError],
    [404, 'not_found', NotFoundError],
    [409, 'idempotency_key_reused', ConflictError],
    [422, 'validation_failed', UnprocessableError],
    [429, 'rate_limited', RateLimitError],
    [500, 'internal_error', ServerError],
    [418, 'code_of_tomorrow', ApiError],
  ] as const) {
    it(`${status} ${code} has its class, its code and the request id`, async () => {
      const { recado } = scripted([refused(status, code)], { maxRetries: 0 });
      const error = await thrown(recado.channels.list());
      expect(error).to.be.instanceOf(Class).and.include({ status, code, requestId: 'req-1' });
      expect(error).to.have.property('message').that.includes(code).and.includes('req-1');
    });
  }

  it('an answer that is not of Recado says so, with its beginning', async () => {
    const page = () => new Response('<html>Bad gateway', { status: 502 });
    const { recado } = scripted([page], { maxRetries: 0 });
    const error = await thrown(recado.channels.list());
    expect(error).to.be.instanceOf(ServerError).and.include({ code: 'not_recado', requestId: null });
    expect(error).to.have.property('message').that.includes('<html>Bad gateway');
  });
});

describe('client: retries', () => {
  it('make one Idempotency-Key for a call, and keep it', async () => {
    const run = scripted([broken, refused(503, 'unavailable'), accepted, accepted]);
    await run.recado.messages.send(TEXT);
    await run.recado.messages.send(TEXT);
    const [first, second, third, other] = keysOf(run);
    expect(first).to.match(/^[0-9a-f-]{36}$/);
    expect([second, third]).to.deep.equal([first, first]);
    expect(other)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.equal(first);
  });

  it('keep a key that was given', async () => {
    const run = scripted([broken, accepted]);
    await run.recado.messages.send(TEXT, { idempotencyKey: 'pedido-1' });
    expect(keysOf(run)).to.deep.equal(['pedido-1', 'pedido-1']);
  });

  for (const [what, step] of [
    ['a broken connection', broken],
    ['408', refused(408, 'request_timeout')],
    ['429', refused(429, 'rate_limited')],
    ['500', refused(500, 'internal_error')],
    ['503', refused(503, 'unavailable')],
    ['409 concurrent_update', refused(409, 'concurrent_update')],
  ] as const) {
    it(`repeat a call after ${what}`, async () => {
      const { recado, asked } = scripted([step, step, json(200, { data: {} })]);
      await recado.contacts.update('c', { name: 'Ana' });
      expect(asked).to.have.length(3);
    });
  }

  for (const [status, code] of [
    [400, 'invalid_json'],
    [404, 'not_found'],
    [409, 'idempotency_key_reused'],
    [422, 'duplicate_template_send'],
  ] as const) {
    it(`do not repeat a call after ${status} ${code}`, async () => {
      const { recado, asked } = scripted([refused(status, code)]);
      expect(await thrown(recado.messages.send(TEXT))).to.include({ code });
      expect(asked).to.have.length(1);
    });
  }

  it('do not repeat a POST without a key if the server may have done it', async () => {
    for (const step of [broken, refused(500, 'internal_error'), refused(504, 'unavailable')]) {
      const { recado, asked } = scripted([step]);
      await thrown(recado.store.orders.move('o', 'pago'));
      expect(asked).to.have.length(1);
    }
    const { recado, asked } = scripted([refused(429, 'rate_limited'), json(200, { data: {} })]);
    await recado.store.orders.move('o', 'pago');
    expect(asked).to.have.length(2);
  });

  it('repeat a batch only if each product has a handle', async () => {
    const result = json(200, { data: [], meta: {} });
    const named = scripted([broken, result]);
    await named.recado.store.products.batch([{ name: 'A', price: '1.00', import_handle: 'a' }]);
    expect(named.asked).to.have.length(2);
    const nameless = scripted([broken, result]);
    const products = [
      { name: 'A', price: '1.00', import_handle: 'a' },
      { name: 'B', price: '1.00' },
    ];
    expect(await thrown(nameless.recado.store.products.batch(products))).to.be.instanceOf(ConnectionError);
  });

  it('end after three more attempts, or as many as asked, with the last error', async () => {
    const refusing = () => {
      throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    };
    const run = scripted([refusing]);
    const error = await thrown(run.recado.channels.list());
    expect(error).to.be.instanceOf(ConnectionError);
    expect(error)
      .to.have.property('message')
      .that.matches(/recado\.example.*connect ECONNREFUSED/);
    expect(run.asked).to.have.length(4);
    await thrown(run.recado.channels.list({ maxRetries: 1 }));
    expect(run.asked).to.have.length(6);
  });

  it('wait longer each time', async () => {
    const { recado, waits } = scripted([broken], { maxRetries: 6 });
    await thrown(recado.channels.list());
    const bounds = [500, 1000, 2000, 4000, 8000, 8000];
    expect(waits).to.have.length(bounds.length);
    waits.forEach((ms, at) => expect(ms).to.be.within(bounds[at]! * 0.75, bounds[at]! * 1.25));
  });

  it('wait as long as Retry-After asks, in seconds or until a date', async () => {
    const date = 'Sun, 01 Mar 2026 12:00:27 GMT';
    const { recado, waits } = scripted([
      refused(429, 'rate_limited', { 'retry-after': '20' }),
      refused(503, 'unavailable', { 'retry-after': date }),
      json(200, { data: [] }),
    ]);
    await recado.channels.list();
    expect(waits).to.deep.equal([20_000, 7_000]);
  });

  it('leave a longer Retry-After to the caller', async () => {
    const { recado, asked } = scripted([refused(429, 'rate_limited', { 'retry-after': '61' })]);
    expect(await thrown(recado.channels.list())).to.be.instanceOf(RateLimitError);
    expect(asked).to.have.length(1);
  });

  it('are told to the caller', async () => {
    const told: Retry[] = [];
    const { recado } = scripted([broken, accepted], { onRetry: (retry) => told.push(retry) });
    await recado.messages.send(TEXT);
    expect(told).to.have.length(1);
    expect(told[0]).to.include({ call: 'POST /messages', attempt: 1 });
    expect(told[0]?.error).to.be.instanceOf(ConnectionError);
  });
});

describe('client: time-outs and signals', () => {
  it('ends an attempt that gets no answer, and tries again', async () => {
    const { recado, asked } = scripted([silent, json(200, { data: [] })], { timeoutMs: 1 });
    await recado.channels.list();
    expect(asked).to.have.length(2);
    const slow = scripted([silent], { timeoutMs: 1, maxRetries: 0 });
    expect(await thrown(slow.recado.channels.list())).to.be.instanceOf(TimeoutError);
  });

  it('ends at once with the reason of the signal', async () => {
    const reason = new Error('the user left');
    const ended = new AbortController();
    const { recado, asked } = scripted([silent]);
    const call = thrown(recado.channels.list({ signal: ended.signal }));
    ended.abort(reason);
    expect(await call).to.equal(reason);
    expect(asked.length).to.be.at.most(1);
    expect(await thrown(recado.channels.list({ signal: AbortSignal.abort(reason) }))).to.equal(reason);
  });

  it('also between two attempts', async () => {
    const reason = new Error('the user left');
    const ended = new AbortController();
    const { recado, asked } = scripted([broken], { onRetry: () => ended.abort(reason) });
    expect(await thrown(recado.channels.list({ signal: ended.signal }))).to.equal(reason);
    expect(asked).to.have.length(1);
  });
});

describe('client: operations.wait', () => {
  const get = (change: object) => json(200, { data: { ...OPERATION, ...change } });
  const error = { code: 'recipient_opted_out', message: 'They said STOP.', details: { a: 1 } };

  it('polls ever more slowly until the operation has succeeded', async () => {
    const result = { message_uuid: 'm' };
    const { recado, waits, asked } = scripted([
      get({}),
      get({ status: 'processing' }),
      get({ status: 'waiting' }),
      get({ status: 'succeeded', result }),
    ]);
    expect(await recado.operations.wait(OPERATION)).to.deep.include({ status: 'succeeded', result });
    expect(waits).to.deep.equal([250, 375, 562.5]);
    expect(asked[0]?.url.pathname).to.equal(`/api/v1/operations/${OPERATION.uuid}`);
  });

  it('throws what a failed one says', async () => {
    const { recado } = scripted([get({ status: 'failed', error })]);
    const failed = await thrown(recado.operations.wait(OPERATION.uuid));
    expect(failed).to.be.instanceOf(OperationFailedError).and.include({ code: 'recipient_opted_out' });
    expect(failed).to.have.deep.property('details', { a: 1 });
  });

  it('ends in time, and says where it is', async () => {
    const { recado, waits } = scripted([get({ status: 'waiting' })]);
    const pending = await thrown(recado.operations.wait(OPERATION.uuid, { withinMs: 1000 }));
    expect(pending)
      .to.be.instanceOf(OperationPendingError)
      .and.have.nested.property('operation.status', 'waiting');
    expect(waits.reduce((sum, ms) => sum + ms, 0)).to.equal(1000);
  });
});
