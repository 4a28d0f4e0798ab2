/**
 * Requirements on every SealedKeys and the PersonalKeys of the same deployment. Adapters plug in with
 * `describeSealedKeys`.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { PersonalKeys } from '../../ports/personal-keys.js';
import type { SealedKey, SealedKeys } from '../../ports/sealed-keys.js';
import { COMPANY } from './support.js';

export interface KeysOfDeployment {
  readonly personal: PersonalKeys;
  readonly sealed: SealedKeys;
}

export interface SealedKeysHarness {
  /** Keys of a deployment that has created none yet. */
  readonly store: KeysOfDeployment;
  close(): Promise<void>;
  reopen(): Promise<KeysOfDeployment>;
}

/** @param make creates a deployment; all deployments share one master key */
export function describeSealedKeys(name: string, make: () => Promise<SealedKeysHarness>): void {
  describe(`SealedKeys: ${name}`, () => {
    const opened: SealedKeysHarness[] = [];
    let keys: KeysOfDeployment;

    async function deployment(): Promise<SealedKeysHarness> {
      const harness = await make();
      opened.push(harness);
      return harness;
    }
    beforeEach(async () => {
      keys = (await deployment()).store;
    });
    afterEach(async () => {
      for (const harness of opened.splice(0)) await harness.close();
    });

    const hex = (key: Uint8Array | undefined) => key && Buffer.from(key).toString('hex');
    const made = (subject: string = randomUUID()) => keys.personal.keyFor(subject, COMPANY);

    async function listed({ sealed }: KeysOfDeployment, limit = 2): Promise<SealedKey[]> {
      const found: SealedKey[] = [];
      for (let pages = 0; pages < 100; pages += 1) {
        const page = await sealed.list(found.at(-1)?.key_id ?? '', limit);
        expect(page.length).to.be.at.most(limit);
        found.push(...page);
        if (page.length < limit) return found;
      }
      throw new Error('the keys do not end');
    }

    it('lists nothing where no key was made', async () => {
      expect(await keys.sealed.list('', 10)).to.deep.equal([]);
    });

    it('answers a page of its own size when it is asked for everything', async () => {
      // A few at a time: a busy server would exceed its timeouts with a thousand concurrent requests.
      for (let many = 0; many < 1_001; many += 7) await Promise.all(Array.from({ length: 7 }, () => made()));
      expect(await keys.sealed.list('', Infinity)).to.have.length(1_000);
    });

    it('lists every key once, in the order of the ids, also those that were given out just now', async () => {
      const subjects: string[] = Array.from({ length: 5 }, () => randomUUID());
      const given = await Promise.all(subjects.map((subject) => made(subject)));
      const found = await listed(keys);
      expect(found.map(({ key_id }) => key_id)).to.deep.equal(given.map(({ keyId }) => keyId).sort());
      for (const { key_id, subject, company, created_at, destroyed_at, sealed_key } of found) {
        expect(given[subjects.indexOf(subject)]!.keyId).to.equal(key_id);
        expect(company).to.equal(COMPANY);
        expect(new Date(created_at).toISOString()).to.equal(created_at);
        expect(destroyed_at).to.equal(null);
        expect(sealed_key).to.be.a('string').with.length.greaterThan(32);
      }
    });

    it('shows no key as it is', async () => {
      const { key } = await made();
      const [{ sealed_key }] = (await listed(keys)) as [SealedKey];
      for (const plain of ['hex', 'base64', 'base64url'] as const) {
        expect(sealed_key).to.not.include(Buffer.from(key).toString(plain));
      }
    });

    it('names a key that was destroyed, when, and nothing of it', async () => {
      const subject = randomUUID();
      const old = await made(subject);
      await keys.personal.destroy(subject);
      const fresh = await made(subject);
      const found = await listed(keys);
      expect(found.map(({ key_id }) => key_id)).to.deep.equal([old.keyId, fresh.keyId].sort());
      const gone = found.find(({ key_id }) => key_id === old.keyId)!;
      expect(new Date(gone.destroyed_at!).toISOString()).to.equal(gone.destroyed_at);
      expect(gone.sealed_key).to.equal(null);
      expect(found.find(({ key_id }) => key_id === fresh.keyId)!.destroyed_at).to.equal(null);
    });

    it('gives the same keys to another deployment, there for good when it says so', async () => {
      const [subject, gone] = [randomUUID(), randomUUID()];
      const live = await made(subject);
      const dead = await made(gone);
      await keys.personal.destroy(gone);
      const whole = await listed(keys);
      const other = await deployment();
      await other.store.sealed.restore(whole);
      const { personal, sealed } = await other.reopen();
      expect(await listed({ personal, sealed })).to.deep.equal(whole);
      const open = await personal.open([live.keyId, dead.keyId]);
      expect([...open.keys()]).to.deep.equal([live.keyId]);
      expect(hex(open.get(live.keyId))).to.equal(hex(live.key));
      expect((await personal.keyFor(subject, COMPANY)).keyId).to.equal(live.keyId);
      // A key that is created after an erasure must never open data that was sealed before it.
      expect((await personal.keyFor(gone, COMPANY)).keyId).to.not.equal(dead.keyId);
    });

    it('changes nothing when it is repeated, be it with less or with other bytes', async () => {
      await Promise.all([made(), made(), made()]);
      const whole = await listed(keys);
      const { store } = await deployment();
      await store.sealed.restore([]);
      await store.sealed.restore(whole.slice(0, 2));
      await store.sealed.restore(whole);
      await store.sealed.restore(whole.map((key) => ({ ...key, sealed_key: 'other' })));
      expect(await listed(store)).to.deep.equal(whole);
    });
  });
}
