import { hash } from 'node:crypto';
import { expect } from 'chai';
import type { Request } from 'express';
import { authenticateApiKey, createKnownKeys } from '../../api/middleware/api-key.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import type { ReadModels } from '../../ports/read-models.js';
import type { ApiKeyDoc } from '../../read-models/api-keys.js';
import { failure } from '../conformance/support.js';

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
    const come = (credential: string) =>
      authenticateApiKey(
        readModels,
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
