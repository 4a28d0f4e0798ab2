import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MongoClient, type Collection } from 'mongodb';
import { systemClock } from '../../../adapters/clock/system.js';
import { createPersonalKeys } from '../../../adapters/mongodb/personal-keys.js';
import type { PersonalKeys } from '../../../ports/personal-keys.js';
import { testBox } from '../../conformance/embedded.js';
import { mongoUrl, temporaryDatabase, type TemporaryDatabase } from '../../conformance/mongodb.js';
import { COMPANY, skippedSuite, until } from '../../conformance/support.js';

interface Stored {
  readonly _id: string;
  readonly subject: string;
  readonly sealed_key: string;
  readonly doomed_at?: string;
  readonly destroyed_at?: string;
}

if (mongoUrl === undefined) skippedSuite('personal keys of two processes', 'MONGODB_URL not set');
else {
  const server = mongoUrl;
  describe('personal keys of two processes', () => {
    const freshMs = 400;
    let database: TemporaryDatabase;
    let client: MongoClient;
    let stored: Collection<Stored>;
    let one: PersonalKeys;
    let two: PersonalKeys;

    before(async () => {
      database = temporaryDatabase(server);
      client = new MongoClient(database.url);
      stored = client.db().collection('personal_keys');
      const limits = { keysFreshMs: freshMs };
      one = (await database.open({ limits })).personalKeys;
      two = (await database.open({ limits })).personalKeys;
    });
    after(async () => {
      await client.close();
      await database.close();
    });

    const opened = async (from: PersonalKeys, keyId: string) => (await from.open([keyId])).size === 1;

    it('that make the first key of a person at once end with one', async () => {
      for (let n = 0; n < 10; n += 1) {
        const subject = randomUUID();
        const made = await Promise.all([one, two, one, two].map((keys) => keys.keyFor(subject, COMPANY)));
        expect(new Set(made.map(({ keyId }) => keyId)).size).to.equal(1);
        expect(new Set(made.map(({ key }) => Buffer.from(key).toString('hex'))).size).to.equal(1);
        expect(await stored.countDocuments({ subject })).to.equal(1);
      }
    });

    it('seal with a key that they have just opened, and not with one that they destroy meanwhile', async () => {
      const [subject, gone] = [randomUUID(), randomUUID()];
      const made = await one.keyFor(subject, COMPANY);
      expect(two.keyAtHand(subject)).to.equal(undefined);
      const askedAt = systemClock.monotonic();
      await two.open([made.keyId]);
      const atHand = two.keyAtHand(subject)!;
      expect(atHand.keyId).to.equal(made.keyId);
      expect(atHand.askedAt).to.be.at.least(askedAt);
      await until(() => two.keyAtHand(subject) === undefined);

      const doomed = await one.keyFor(gone, COMPANY);
      const [destroyed] = await Promise.all([two.destroy(gone), two.open([doomed.keyId, made.keyId])]);
      expect(destroyed).to.equal(1);
      expect(two.keyAtHand(gone)).to.equal(undefined);
      expect((await two.keyFor(gone, COMPANY)).keyId).to.not.equal(doomed.keyId);
    });

    it('stop believing a key before its destruction is answered, and nobody opens it from the mark on', async () => {
      const subject = randomUUID();
      const old = await one.keyFor(subject, COMPANY);
      await two.keyFor(subject, COMPANY);
      let answered = false;
      const destroyed = one.destroy(subject).then((count) => {
        answered = true;
        return count;
      });
      await until(async () => !(await opened(two, old.keyId)));
      expect(answered, 'marked first').to.equal(false);
      const marked = await stored.findOne({ _id: old.keyId });
      expect(marked!.sealed_key, 'not overwritten while others may believe it').to.not.equal('');
      const next = await one.keyFor(subject, COMPANY);
      expect(next.keyId, 'the next generation, without waiting for the end').to.not.equal(old.keyId);
      expect(await destroyed).to.equal(1);
      expect(two.keyAtHand(subject)?.keyId).to.not.equal(old.keyId);
      expect((await two.keyFor(subject, COMPANY)).keyId).to.equal(next.keyId);
      const gone = await stored.findOne({ _id: old.keyId });
      expect(gone).to.include({ sealed_key: '' });
      expect(gone).to.have.property('destroyed_at');
      expect(gone).to.not.have.property('doomed_at');
      expect(await opened(two, next.keyId), 'the new one lives').to.equal(true);
    });

    it('give out no doomed key to who asked just before the destruction', async () => {
      const subject = randomUUID();
      const old = await one.keyFor(subject, COMPANY);
      const asked = two.keyFor(subject, COMPANY);
      const ending = two.destroy(subject);
      const given = await asked;
      expect(given.keyId).to.not.equal(old.keyId);
      expect(two.keyAtHand(subject)?.keyId).to.equal(given.keyId);
      expect(await ending).to.equal(1);
    });

    it('that both destroy a person leave no key, however new ones are made meanwhile', async () => {
      const subject = randomUUID();
      const before = await one.keyFor(subject, COMPANY);
      const ends = Promise.all([one.destroy(subject), two.destroy(subject)]);
      const meanwhile = await Promise.all([one.keyFor(subject, COMPANY), two.keyFor(subject, COMPANY)]);
      await ends;
      for (const { keyId } of meanwhile) expect(keyId).to.not.equal(before.keyId);
      expect(await opened(one, before.keyId)).to.equal(false);
      expect(await stored.countDocuments({ subject, doomed_at: { $exists: true } })).to.equal(0);
    });

    it('finish what a crash between mark and end has left, with the next destruction', async () => {
      const left = await one.keyFor(randomUUID(), COMPANY);
      await stored.updateOne({ _id: left.keyId }, { $set: { doomed_at: new Date().toISOString() } });
      const other = randomUUID();
      await one.keyFor(other, COMPANY);
      expect(await two.destroy(other), 'counts that person only').to.equal(1);
      expect(await stored.findOne({ _id: left.keyId })).to.include({ sealed_key: '' });
    });

    it('give nothing out of memory once it is too old, by a clock that can not be set', async () => {
      let now = 0;
      const paused = createPersonalKeys(client.db(), {
        secretBox: testBox,
        clock: { ...systemClock, now: () => Date.now() - 3_600_000, monotonic: () => now },
        freshMs: 5_000,
      });
      const subject = randomUUID();
      const old = await paused.keyFor(subject, COMPANY);
      now = 4_999;
      expect(paused.keyAtHand(subject)?.keyId).to.equal(old.keyId);
      await one.destroy(subject);
      now = 5_000;
      expect(paused.keyAtHand(subject)).to.equal(undefined);
      expect((await paused.keyFor(subject, COMPANY)).keyId).to.not.equal(old.keyId);
    });

    it('open many keys with one question, under the master key only', async () => {
      const made = await Promise.all(Array.from({ length: 20 }, () => one.keyFor(randomUUID(), COMPANY)));
      const all = await two.open(made.map(({ keyId }) => keyId));
      expect(all.size).to.equal(20);
      const document = await stored.findOne({ _id: made[0]!.keyId });
      expect(document!.sealed_key).to.not.include(Buffer.from(made[0]!.key).toString('base64'));
      expect(testBox.open(document!.sealed_key, `personal-key:${made[0]!.keyId}`)).to.equal(
        Buffer.from(made[0]!.key).toString('base64'),
      );
    });
  });
}
