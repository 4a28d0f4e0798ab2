import { hash } from 'node:crypto';
import { expect } from 'chai';
import type { Request } from 'express';
import { authenticateApiKey, createKnownKeys } from '../../api/middleware/api-key.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { ApiKeyDoc } from '../../read-models/api-keys.js';
import { failure } from '../conformance/support.js';
import { manualClock } from '../support/fakes/manual-clock.js';

const KEY = {
  key_id: 'k1',
  company_uuid: 'c',
  integration_uuid: 'i',
  secret_hash: hash('sha256', 'secret'),
  scopes: ['messages:send'],
  revoked_at: null,
} as unknown as ApiKeyDoc;

describe('API keys while the read models are away', () => {
  function world() {
    const stored: { answer: ApiKeyDoc | undefined | Error } = { answer: KEY };
    const readModels = {
      async get(_: string, id: string) {
        if (stored.answer instanceof Error) throw stored.answer;
        return stored.answer && { id, doc: stored.answer, version: '1' };
      },
    } as unknown as ReadModels;
    const known = createKnownKeys();
    const clock = manualClock();
    const come = (credential: string) =>
      authenticateApiKey(
        { readModels, clock },
        { headers: { authorization: `Bearer ${credential}` } } as unknown as Request,
        known,
      );
    return { stored, come };
  }
  const GOOD = 'recado_api_k1_secret';
  const away = new StoreUnavailable('away');

  it('let in who was let in before, with the same rights', async () => {
    const { stored, come } = world();
    const before = await come(GOOD);
    stored.answer = away;
    expect(await come(GOOD)).to.deep.equal(before);
  });

  it('let in nobody with another secret, and nobody who was never seen', async () => {
    const { stored, come } = world();
    await come(GOOD);
    stored.answer = away;
    expect(await failure(come('recado_api_k1_guess'))).to.include({ code: 'unauthenticated' });
    expect((await failure(come('recado_api_k2_secret'))).name).to.equal('StoreUnavailable');
  });

  it('remember no secret that was wrong, only the key it was for', async () => {
    const { stored, come } = world();
    await failure(come('recado_api_k1_guess'));
    stored.answer = away;
    expect(await failure(come('recado_api_k1_guess'))).to.include({ code: 'unauthenticated' });
    expect(await come(GOOD)).to.include({ keyId: 'k1' });
  });

  it('refuse what this process has seen revoked or gone, and forget it', async () => {
    for (const answer of [{ ...KEY, revoked_at: '2026-01-01T00:00:00.000Z' }, undefined]) {
      const { stored, come } = world();
      await come(GOOD);
      stored.answer = answer;
      expect(await failure(come(GOOD))).to.include({ code: 'unauthenticated' });
      stored.answer = away;
      const name = (await failure(come(GOOD))).name;
      expect(name).to.equal(answer ? 'Refusal' : 'StoreUnavailable');
    }
  });

  it('are read again as soon as that can be done', async () => {
    const { stored, come } = world();
    await come(GOOD);
    stored.answer = away;
    await come(GOOD);
    stored.answer = { ...KEY, revoked_at: '2026-01-01T00:00:00.000Z' };
    expect(await failure(come(GOOD))).to.include({ code: 'unauthenticated' });
  });

  it('hide no other fault', async () => {
    const { stored, come } = world();
    await come(GOOD);
    stored.answer = new TypeError('a bug');
    expect((await failure(come(GOOD))).name).to.equal('TypeError');
  });
});

describe('API keys that are known to be unchanged', () => {
  function world() {
    const state = { key: { ...KEY } as ApiKeyDoc | undefined, name: {} as object | null, reads: 0 };
    const clock = manualClock();
    let reading: Promise<void> | undefined;
    const readModels = {
      async get(_: string, id: string) {
        state.reads += 1;
        const doc = state.key;
        await reading;
        return doc && { id, doc, version: '1' };
      },
    } as unknown as ReadModels;
    const known = createKnownKeys();
    const come = (credential = 'recado_api_k1_secret') =>
      authenticateApiKey(
        { readModels, clock, stateHere: () => state.name },
        { headers: { authorization: `Bearer ${credential}` } } as unknown as Request,
        known,
      );
    const revoke = () => (state.key = { ...KEY, revoked_at: '2026-01-01T00:00:00.000Z' });
    /** Reads from now on answer with what was stored when they began, once the result is called. */
    function slowly(): () => void {
      let answer!: () => void;
      reading = new Promise((resolve) => (answer = resolve));
      return () => {
        reading = undefined;
        answer();
      };
    }
    return { state, clock, come, revoke, slowly };
  }

  it('are read once a second', async () => {
    const { state, clock, come } = world();
    const first = await come();
    expect(await come()).to.deep.equal(first);
    await clock.advance(999);
    await come();
    expect(state.reads).to.equal(1);
    await clock.advance(1);
    await come();
    expect(state.reads).to.equal(2);
  });

  it('end as soon as a key has changed', async () => {
    const { state, come, revoke } = world();
    await come();
    revoke();
    state.name = {};
    expect(await failure(come())).to.include({ code: 'unauthenticated' });
  });

  it('are read each time where another process may change them', async () => {
    const { state, come, revoke } = world();
    await come();
    state.name = null;
    await come();
    await come();
    expect(state.reads).to.equal(3);
    revoke();
    expect(await failure(come())).to.include({ code: 'unauthenticated' });
  });

  it('end where the change came while they were read', async () => {
    const { state, come, revoke, slowly } = world();
    const answer = slowly();
    const before = come();
    revoke();
    state.name = {};
    answer();
    await before;
    expect(await failure(come())).to.include({ code: 'unauthenticated' });
  });

  it('refuse nobody without a read', async () => {
    const { state, come } = world();
    await come();
    expect(await failure(come('recado_api_k1_guess'))).to.include({ code: 'unauthenticated' });
    expect(state.reads).to.equal(2);
  });
});
