import { expect } from 'chai';
import { StoreUnavailable, type EventStore } from '../../ports/event-store.js';
import type { ReadModels } from '../../ports/read-models.js';
import { ask } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';

const TEXT = { recipient: { phone: '+5511987654321' }, type: 'text', content: { text: 'Olá' } };

describe('failures of our own', () => {
  let broken: Error | null = null;

  const failing = <T extends object>(target: T, methods: readonly (keyof T)[]): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name);
        if (!methods.includes(name as keyof T)) return value;
        return (...args: unknown[]) =>
          broken ? Promise.reject(broken) : (value as (...a: unknown[]) => unknown).apply(object, args);
      },
    });

  const api = opened(() =>
    makeApi({
      wrapStore: (store: EventStore) => failing(store, ['append']),
      wrapReadModels: (readModels: ReadModels) => failing(readModels, ['find']),
    }),
  );
  const world = opened(() => makeWorld(api.app));
  afterEach(() => {
    broken = null;
  });

  it('500 tells nothing about the cause, which is in the log under the same request id', async () => {
    broken = new Error('SQLITE_CORRUPT at /var/lib/secret');
    const answer = await ask(api, 'GET', '/channels', { key: world.key });
    expect([answer.status, answer.body.error?.code]).to.deep.equal([500, 'internal_error']);
    expect(answer.body.error?.details).to.deep.equal({});
    expect(answer.text).to.not.match(/SQLITE|secret|at \//);
    const logged = api.log.find(({ level }) => level === 'error');
    expect(logged?.fields).to.include({ err: broken, request_id: answer.body.error?.request_id });
  });

  it('503 with Retry-After when the event store can not be reached; the retry is accepted', async () => {
    const request = [
      'POST',
      '/messages',
      { key: world.key, json: TEXT, headers: { 'idempotency-key': 'k' } },
    ] as const;
    broken = new StoreUnavailable('no answer');
    const answer = await ask(api, ...request);
    expect([answer.status, answer.body.error?.code]).to.deep.equal([503, 'unavailable']);
    expect(answer.headers['retry-after']).to.equal('5');
    const request_id = answer.body.error?.request_id;
    const logged = api.log.filter(
      ({ level, fields }) =>
        level !== 'info' && (fields as { request_id?: string }).request_id === request_id,
    );
    expect(logged, 'one line, without a stack, however long the outage').to.have.length(1);
    expect(logged[0]).to.deep.include({
      level: 'warn',
      fields: { request_id, code: 'unavailable', reason: 'no answer' },
    });
    broken = null;
    const retried = await ask(api, ...request);
    expect(retried.status, retried.text).to.equal(202);
    expect(retried.headers).to.not.have.property('idempotent-replayed');
  });
});
