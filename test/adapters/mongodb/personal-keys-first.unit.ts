import { expect } from 'chai';
import type { Collection } from 'mongodb';
import type { KeyDocument } from '../../../adapters/mongodb/personal-keys-collection.js';
import { gatheredKeys } from '../../../adapters/mongodb/personal-keys-first.js';

const keyOf = (subject: string, sealed = `of ${subject}`): KeyDocument => ({
  _id: `${subject}.1`,
  subject,
  generation: 1,
  company: 'company',
  created_at: 'now',
  sealed_key: sealed,
});

function world() {
  const stored = new Map<string, KeyDocument>();
  const asked: string[] = [];
  interface Upsert {
    readonly updateOne: {
      readonly filter: { readonly _id: string };
      readonly update: { $setOnInsert: object };
    };
  }
  const collection = {
    find: ({ _id: { $in: ids } }: { _id: { $in: readonly string[] } }) => ({
      async toArray() {
        asked.push(`find ${ids.join(' ')}`);
        return ids.flatMap((id) => stored.get(id) ?? []);
      },
    }),
    async bulkWrite(upserts: readonly Upsert[]) {
      asked.push(`make ${upserts.map(({ updateOne }) => updateOne.filter._id).join(' ')}`);
      const upsertedIds: Record<number, string> = {};
      for (const [index, { updateOne }] of upserts.entries()) {
        const { _id } = updateOne.filter;
        if (stored.has(_id)) continue;
        stored.set(_id, { _id, ...updateOne.update.$setOnInsert } as KeyDocument);
        upsertedIds[index] = _id;
      }
      return { upsertedIds };
    },
  } as unknown as Collection<KeyDocument>;
  const first = gatheredKeys(collection, (work) => work(), 100);
  const keys = async (...subjects: readonly string[]) =>
    (await Promise.all(subjects.map((subject) => first(keyOf(subject))))).map((key) => key?.sealed_key);
  return { stored, asked, keys };
}

describe('first keys of people', () => {
  it('are made with one command', async () => {
    const { stored, asked, keys } = world();
    expect(await keys('ana', 'bia', 'ana')).to.deep.equal(['of ana', 'of bia', 'of ana']);
    expect(asked).to.deep.equal(['make ana.1 bia.1']);
    expect([...stored.keys()]).to.deep.equal(['ana.1', 'bia.1']);
  });

  it('are found with one query where this process has seen them', async () => {
    const { asked, keys } = world();
    await keys('ana', 'bia');
    asked.length = 0;
    expect(await keys('ana', 'bia', 'caio')).to.deep.equal(['of ana', 'of bia', 'of caio']);
    expect(asked).to.have.members(['find ana.1 bia.1', 'make caio.1']);
  });

  it('are those that another process has made', async () => {
    const { stored, asked, keys } = world();
    stored.set('ana.1', keyOf('ana', 'theirs'));
    expect(await keys('ana', 'bia')).to.deep.equal(['theirs', 'of bia']);
    expect(asked).to.deep.equal(['make ana.1 bia.1', 'find ana.1']);
    await keys('ana');
    expect(asked.at(-1)).to.equal('find ana.1');
  });

  it('are none while nobody shows them, and are asked for again', async () => {
    const { stored, keys } = world();
    await keys('ana');
    stored.delete('ana.1');
    expect(await keys('ana'), 'not confirmed by a majority').to.deep.equal([undefined]);
    stored.set('ana.1', keyOf('ana'));
    expect(await keys('ana')).to.deep.equal(['of ana']);
  });
});
