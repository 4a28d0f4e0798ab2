/** Requirements on every PersonalKeys. Adapters plug in with `describePersonalKeys`. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { PersonalKeys } from '../../ports/personal-keys.js';
import { COMPANY } from './support.js';
import { opened } from '../support/opened.js';

export interface PersonalKeysHarness {
  readonly store: PersonalKeys;
  close(): Promise<void>;
  reopen?(): Promise<PersonalKeys>;
}

export function describePersonalKeys(name: string, make: () => Promise<PersonalKeysHarness>): void {
  describe(`PersonalKeys: ${name}`, () => {
    const harness = opened(make);
    let keys: PersonalKeys;

    before(() => void (keys = harness.store));

    const hex = (key: Uint8Array | undefined) => key && Buffer.from(key).toString('hex');

    it('makes one key of 32 bytes per subject, also when asked many times at once', async () => {
      const subject = randomUUID();
      const made = await Promise.all(Array.from({ length: 5 }, () => keys.keyFor(subject, COMPANY)));
      expect(made[0]!.key).to.have.length(32);
      for (const other of made) {
        expect(other.keyId).to.equal(made[0]!.keyId);
        expect(hex(other.key)).to.equal(hex(made[0]!.key));
      }
      const another = await keys.keyFor(randomUUID(), COMPANY);
      expect(hex(another.key)).to.not.equal(hex(made[0]!.key));
    });

    it('has a key at hand once it was asked for, and none before', async () => {
      const subject = randomUUID();
      expect(keys.keyAtHand(subject)).to.equal(undefined);
      const made = await keys.keyFor(subject, COMPANY);
      expect(keys.keyAtHand(subject)?.keyId).to.equal(made.keyId);
    });

    it('opens keys by id and leaves out unknown ones', async () => {
      const [a, b] = [await keys.keyFor(randomUUID(), COMPANY), await keys.keyFor(randomUUID(), COMPANY)];
      const opened = await keys.open([a.keyId, b.keyId, `${randomUUID()}.1`]);
      expect([...opened.keys()]).to.have.members([a.keyId, b.keyId]);
      expect(hex(opened.get(a.keyId))).to.equal(hex(a.key));
      expect(await keys.open([])).to.have.property('size', 0);
    });

    it('keeps no more memory than a key takes, where small buffers share pieces of 8 KiB', async () => {
      const subject = randomUUID();
      const { keyId } = await keys.keyFor(subject, COMPANY);
      keys = (await harness.reopen?.()) ?? keys;
      const opened = (await keys.open([keyId])).get(keyId)!;
      const asked = await keys.keyFor(subject, COMPANY);
      expect([opened, asked.key].map(({ buffer }) => buffer.byteLength)).to.deep.equal([32, 32]);
    });

    it('destroys for good; the next key is another one', async () => {
      const subject = randomUUID();
      const old = await keys.keyFor(subject, COMPANY);
      const bystander = await keys.keyFor(randomUUID(), COMPANY);
      expect(await keys.destroy(subject)).to.equal(1);
      expect(keys.keyAtHand(subject)).to.equal(undefined);
      expect((await keys.open([old.keyId, bystander.keyId])).size).to.equal(1);
      const fresh = await keys.keyFor(subject, COMPANY);
      expect(fresh.keyId).to.not.equal(old.keyId);
      expect(hex(fresh.key)).to.not.equal(hex(old.key));
      expect((await keys.open([old.keyId])).size).to.equal(0);
      expect(await keys.destroy(subject)).to.equal(1);
      expect(await keys.destroy(randomUUID())).to.equal(0);
    });

    it('never hands out a key whose destruction is under way', async () => {
      const subject = randomUUID();
      const old = await keys.keyFor(subject, COMPANY);
      const destruction = keys.destroy(subject);
      const fresh = await keys.keyFor(subject, COMPANY);
      await destruction;
      expect(fresh.keyId).to.not.equal(old.keyId);
      expect((await keys.open([fresh.keyId, old.keyId])).size).to.equal(1);
    });

    it('has no key for what came in before the destruction, and one for what came in after it', async () => {
      const subject = randomUUID();
      const before = Date.now() - 60_000;
      const first = await keys.keyFor(subject, COMPANY, before);
      expect([first.lost, keys.keyAtHand(subject, before)?.keyId]).to.deep.equal([undefined, first.keyId]);
      await keys.destroy(subject);
      const lost = async (): Promise<void> => {
        const made = await keys.keyFor(subject, COMPANY, before);
        expect(made.lost).to.equal(true);
        // Another process may have the destroyed key at hand for a while, and would try it.
        expect(made.keyId).to.not.equal(first.keyId);
        expect(hex(made.key)).to.not.equal(hex(first.key));
        expect(keys.keyAtHand(subject, before)).to.equal(undefined);
        expect((await keys.open([made.keyId])).size).to.equal(0);
      };
      await lost();
      const after = Date.now() + 60_000;
      const next = await keys.keyFor(subject, COMPANY, after);
      expect(next.lost).to.equal(undefined);
      expect(keys.keyAtHand(subject, after)?.keyId).to.equal(next.keyId);
      await lost();
      keys = (await harness.reopen?.()) ?? keys;
      expect((await keys.keyFor(subject, COMPANY, after)).keyId).to.equal(next.keyId);
      await lost();
    });

    it('keeps live keys over a restart, and destroyed ones stay destroyed', async function () {
      if (!harness.reopen) return this.skip();
      const [kept, gone] = [randomUUID(), randomUUID()];
      const live = await keys.keyFor(kept, COMPANY);
      const dead = await keys.keyFor(gone, COMPANY);
      await keys.destroy(gone);
      keys = await harness.reopen();
      expect(hex((await keys.open([live.keyId])).get(live.keyId))).to.equal(hex(live.key));
      expect((await keys.keyFor(kept, COMPANY)).keyId).to.equal(live.keyId);
      expect((await keys.open([dead.keyId])).size).to.equal(0);
      expect((await keys.keyFor(gone, COMPANY)).keyId).to.not.equal(dead.keyId);
    });
  });
}
