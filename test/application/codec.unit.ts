import { Type } from '@sinclair/typebox';
import { expect } from 'chai';
import fc from 'fast-check';
import { createCodec } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { contactAggregate } from '../../domain/contact/decide.js';
import { contactEventExamples } from '../support/examples/contact.js';
import { examples } from '../support/examples/all.js';
import { fold } from '../../domain/kernel/decider.js';
import { defineEvent, nullable, personal, type DomainEvent } from '../../domain/kernel/event.js';
import { exampleIds, EXAMPLE_NOW } from '../support/examples/example.js';
import { createSchemaRegistry } from '../../domain/kernel/schema-registry.js';
import { messageEventExamples } from '../support/examples/message.js';
import {
  StoreUnavailable,
  type EventMeta,
  type NewRecord,
  type Position,
  type StoredRecord,
} from '../../ports/event-store.js';
import { memoryPersonalKeys } from '../support/memory/personal-keys.js';
import { runs } from '../support/soak.js';

const registry = createRegistry();
const { created } = contactEventExamples;
const { subject } = exampleIds;
const eventId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const meta = (schema_version = 1): EventMeta => ({
  correlation_id: 'c',
  causation_id: 'c',
  command_id: 'c',
  actor: 'admin',
  company: exampleIds.company,
  occurred_at: EXAMPLE_NOW,
  schema_version,
});

/** A record as a store returns it: another object with the same JSON. */
const stored = (record: NewRecord): StoredRecord => ({
  ...(JSON.parse(JSON.stringify(record)) as NewRecord),
  stream: `contact-${exampleIds.contact}`,
  revision: 0,
  position: '1' as Position,
});

async function rejection(action: () => Promise<unknown>): Promise<Error> {
  try {
    await action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a rejection');
}

describe('codec', () => {
  it('gives every event back as it was, from another process too', async () => {
    const keys = memoryPersonalKeys();
    for (const { events } of examples) {
      for (const event of Object.values(events)) {
        const { version } = registry.definition(event.type)!;
        const of = { ...meta(), schema_version: version };
        const record = await createCodec(registry, keys).encode(event, eventId(1), of, subject);
        const [recorded] = await createCodec(registry, keys).decodeAll([stored(record)]);
        expect(recorded!.event).to.deep.equal(event);
      }
    }
  });

  it('gives any personal text back as it was', async () => {
    const codec = createCodec(registry, memoryPersonalKeys());
    const name = fc.string({ unit: 'grapheme', maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(name, fc.uuid(), async (text, id) => {
        const event = { ...created, data: { ...created.data, name: text } };
        const record = await codec.encode(event, id, meta(), subject);
        const [recorded] = await codec.decodeAll([stored(record)]);
        expect(recorded!.event).to.deep.equal(event);
      }),
      { numRuns: runs(50) },
    );
  });

  it('stores no personal value in the clear', async () => {
    const codec = createCodec(registry, memoryPersonalKeys());
    let checked = 0;
    for (const { events } of examples) {
      for (const event of Object.values(events)) {
        const personalFields = registry.personalFields(event.type);
        const record = await codec.encode(event, eventId(1), meta(), subject);
        const { sealed, ...open } = record.data;
        expect(sealed !== undefined, event.type).to.equal(personalFields.length > 0);
        const { box = '' } = (sealed ?? {}) as { box?: string };
        const inBox = Buffer.from(box, 'base64').toString('utf8');
        const beside = JSON.stringify({ ...record, data: open });
        for (const field of personalFields) {
          expect(open).to.not.have.property(field);
          for (const text of textsIn(event.data[field])) {
            expect(beside, `${event.type}.${field}`).to.not.include(text);
            // A word as short as "yes" may occur in that many random bytes by chance.
            if (text.length < 6) continue;
            expect(`${box} ${inBox}`, `${event.type}.${field}`).to.not.include(text);
            checked += 1;
          }
        }
      }
    }
    expect(checked).to.be.greaterThan(20);
  });

  it('seals the same event differently each time', async () => {
    const codec = createCodec(registry, memoryPersonalKeys());
    const boxes = new Set<string>();
    for (let n = 0; n < 1_100; n += 1) {
      const record = await codec.encode(created, eventId(1), meta(), subject);
      boxes.add((record.data['sealed'] as { box: string }).box.slice(0, 16));
    }
    expect(boxes.size, 'initialisation vectors').to.equal(1_100);
  });

  it('reads erased fields as null, and the history still folds', async () => {
    const keys = memoryPersonalKeys();
    const codec = createCodec(registry, keys);
    const history = [created, contactEventExamples.named, contactEventExamples.waIdLearned];
    const records: StoredRecord[] = [];
    for (const [n, event] of history.entries()) {
      records.push(stored(await codec.encode(event, eventId(n), meta(), subject)));
    }
    expect(fold(contactAggregate, await events(codec, records)).name).to.equal('Beatriz Souza');
    await keys.destroy(subject);
    codec.forget();
    const state = fold(contactAggregate, await events(codec, records));
    expect(state).to.deep.include({ exists: true, subject, phone: null, phoneKey: null, name: null });
    expect(state.waIds).to.deep.equal({});
  });

  it('seals for a person who came back under a new key', async () => {
    const keys = memoryPersonalKeys();
    const codec = createCodec(registry, keys);
    const before = stored(await codec.encode(created, eventId(1), meta(), subject));
    await keys.destroy(subject);
    codec.forget();
    const after = stored(await codec.encode(created, eventId(2), meta(), subject));
    const [erased, back] = await codec.decodeAll([before, after]);
    expect(erased!.event.data['phone']).to.equal(null);
    expect(back!.event.data['phone']).to.equal(created.data.phone);
  });

  it('forgets what it has just encoded when told to', async () => {
    const keys = memoryPersonalKeys();
    const codec = createCodec(registry, keys);
    const record = {
      ...stored(created as never),
      ...(await codec.encode(created, eventId(1), meta(), subject)),
    };
    expect(codec.decode(record).event).to.equal(created);
    await keys.destroy(subject);
    codec.forget();
    expect(() => codec.decode(record)).to.throw(/asked for again/);
    const [recorded] = await codec.decodeAll([record]);
    expect(recorded!.event.data['phone']).to.equal(null);
  });

  it('opens a record that stays in memory once, until a person is erased', async () => {
    const keys = memoryPersonalKeys();
    const codec = createCodec(registry, keys);
    const record = stored(await createCodec(registry, keys).encode(created, eventId(1), meta(), subject));
    const [recorded] = await codec.decodeAll([record]);
    expect(recorded!.event).to.deep.equal(created);
    expect(codec.decode(record).event).to.equal(recorded!.event);
    await codec.prepare([record]);
    expect(keys.asked).to.have.length(1);
    await keys.destroy(subject);
    codec.forget();
    expect((await codec.decodeAll([record]))[0]!.event.data['phone']).to.equal(null);
  });

  it('opens a record each time where another process may have destroyed its key', async () => {
    const keys = memoryPersonalKeys();
    let now = 0;
    const codec = createCodec(registry, keys, { keysFreshMs: 5_000, monotonic: () => now });
    const record = stored(await codec.encode(created, eventId(1), meta(), subject));
    expect((await codec.decodeAll([record]))[0]!.event).to.deep.equal(created);
    await keys.destroy(subject);
    now = 5_000;
    expect((await codec.decodeAll([record]))[0]!.event.data['phone']).to.equal(null);
  });

  it('notices a box moved to another event, or altered', async () => {
    const codec = createCodec(registry, memoryPersonalKeys());
    const first = stored(await codec.encode(created, eventId(1), meta(), subject));
    const other = { ...first, eventId: eventId(2) };
    expect(await rejection(() => codec.decodeAll([other]))).to.match(/authenticate/);
    const { key, box } = first.data['sealed'] as { key: string; box: string };
    const bytes = Buffer.from(box, 'base64');
    bytes[bytes.length - 1]! ^= 1;
    const altered = { ...first, data: { ...first.data, sealed: { key, box: bytes.toString('base64') } } };
    expect(await rejection(() => codec.decodeAll([altered]))).to.match(/authenticate/);
  });

  it('refuses an event that does not fit its schema, and one whose person is not named', () => {
    const codec = createCodec(registry, memoryPersonalKeys());
    const wrong = { ...created, data: { ...created.data, company_uuid: 'x' } };
    expect(() => codec.encode(wrong, eventId(1), meta(), subject)).to.throw(
      /ContactCreated@1: \/company_uuid/,
    );
    expect(() => codec.encode(created, eventId(1), meta(), null)).to.throw(/names no subject/);
    const plain = messageEventExamples.accepted;
    expect(codec.encode(plain, eventId(1), meta(), null)).to.deep.include({ data: plain.data });
  });

  it('encodes at once when the key is at hand, and waits for it otherwise', async () => {
    const atHand = memoryPersonalKeys();
    await atHand.keyFor(subject, exampleIds.company);
    const now = createCodec(registry, atHand).encode(created, eventId(1), meta(), subject);
    expect(now).to.not.be.instanceOf(Promise);
    const later = createCodec(registry, memoryPersonalKeys({ atHand: false }));
    const records = await Promise.all(
      [1, 2, 3].map((n) => {
        const promise = later.encode(created, eventId(n), meta(), subject);
        expect(promise).to.be.instanceOf(Promise);
        return Promise.resolve(promise);
      }),
    );
    const used = records.map((record) => (record.data['sealed'] as { key: string }).key);
    expect(new Set(used).size).to.equal(1);
    for (const recorded of await later.decodeAll(records.map(stored))) {
      expect(recorded.event).to.deep.equal(created);
    }
  });

  describe('a key that it has just sealed with', () => {
    async function world(askedAt: number | undefined) {
      let now = 1_000;
      const keys = memoryPersonalKeys({ atHand: false });
      const dated: typeof keys = {
        ...keys,
        keyFor: async (...asked) => ({
          ...(await keys.keyFor(...asked)),
          ...(askedAt === undefined ? {} : { askedAt }),
        }),
      };
      const codec = createCodec(registry, dated, { keysFreshMs: 100, monotonic: () => now });
      const record = stored(await codec.encode(created, eventId(1), meta(), subject));
      return { keys, codec, record, pass: (ms: number) => void (now += ms) };
    }

    it('is not asked for again, for as long as one that was asked for then', async () => {
      const { keys, codec, record, pass } = await world(980);
      expect((await codec.decodeAll([record]))[0]!.event).to.deep.equal(created);
      pass(29);
      await codec.decodeAll([record]);
      expect(keys.asked).to.have.length(0);
      pass(1);
      await codec.decodeAll([record]);
      expect(keys.asked).to.have.length(1);
    });

    it('is asked for when nobody knows how old it is, and when everything is to be forgotten', async () => {
      const unknown = await world(undefined);
      await unknown.codec.decodeAll([unknown.record]);
      expect(unknown.keys.asked).to.have.length(1);
      const { keys, codec, record } = await world(1_000);
      await keys.destroy(subject);
      codec.forget();
      expect((await codec.decodeAll([record]))[0]!.event.data['phone']).to.equal(null);
      expect(keys.asked).to.have.length(1);
    });

    it('is not remembered when it was given before something was to be forgotten', async () => {
      const keys = memoryPersonalKeys({ atHand: false });
      let give: () => void = () => undefined;
      const given = new Promise<void>((resolve) => (give = resolve));
      const slow: typeof keys = {
        ...keys,
        async keyFor(...asked) {
          await given;
          return { ...(await keys.keyFor(...asked)), askedAt: 0 };
        },
      };
      const codec = createCodec(registry, slow, { keysFreshMs: 100, monotonic: () => 0 });
      const encoding = codec.encode(created, eventId(1), meta(), subject);
      codec.forget();
      give();
      await codec.decodeAll([stored(await encoding)]);
      expect(keys.asked).to.have.length(1);
    });
  });

  describe('prepare', () => {
    const sealedWith = (key: string, n: number): StoredRecord => ({
      ...stored({ eventId: eventId(n), type: 'ContactNamed', data: {}, meta: meta() }),
      data: { source: 'profile', sealed: { key, box: '' } },
    });

    it('asks for each key once, and for none it holds', async () => {
      const keys = memoryPersonalKeys();
      const codec = createCodec(registry, keys);
      await codec.prepare([sealedWith('a', 1), sealedWith('b', 2), sealedWith('a', 3)]);
      await codec.prepare([sealedWith('a', 4), sealedWith('c', 5)]);
      await codec.prepare([
        sealedWith('a', 6),
        stored({ eventId: eventId(7), type: 'X', data: {}, meta: meta() }),
      ]);
      expect(keys.asked).to.deep.equal([['a', 'b'], ['c']]);
    });

    it('asks once for those who need a key at the same time, and again after a failure', async () => {
      const keys = memoryPersonalKeys();
      const codec = createCodec(registry, keys);
      await Promise.all([
        codec.prepare([sealedWith('a', 1), sealedWith('b', 2)]),
        codec.prepare([sealedWith('b', 3), sealedWith('c', 4)]),
        codec.prepare([sealedWith('c', 5)]),
      ]);
      expect(keys.asked).to.deep.equal([['a', 'b'], ['c']]);

      const open = keys.open.bind(keys);
      keys.open = () => Promise.reject(new StoreUnavailable('away'));
      const both = await Promise.allSettled([
        codec.prepare([sealedWith('d', 6)]),
        codec.prepare([sealedWith('d', 7)]),
      ]);
      expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      keys.open = open;
      await codec.prepare([sealedWith('d', 8)]);
      expect(keys.asked.at(-1)).to.deep.equal(['d']);
    });

    it('neither shares nor keeps an answer from before a person was forgotten', async () => {
      const keys = memoryPersonalKeys();
      const codec = createCodec(registry, keys);
      const encoded = await codec.encode(created, eventId(1), meta(), subject);
      const open = keys.open.bind(keys);
      let arrive: () => void = () => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      keys.open = async (keyIds) => {
        const answer = await open(keyIds);
        await arrived;
        return answer;
      };
      const early = codec.decodeAll([stored(encoded)]);
      keys.open = open;
      await keys.destroy(subject);
      codec.forget();
      expect((await codec.decodeAll([stored(encoded)]))[0]!.event.data['phone']).to.equal(null);
      arrive();
      expect((await early)[0]!.event.data['phone'], 'asked before').to.equal(null);
      expect((await codec.decodeAll([stored(encoded)]))[0]!.event.data['phone'], 'kept').to.equal(null);
    });

    it('that was dropped with those of a forgotten person is asked for again: no error of the caller', async () => {
      const codec = createCodec(registry, memoryPersonalKeys());
      const written = stored(await codec.encode(created, eventId(1), meta(), subject));
      const read = { ...written, data: { ...written.data } };
      await codec.prepare([read]);
      codec.forget();
      expect(() => codec.decode(written), 'encoded here').to.throw(StoreUnavailable);
      expect(() => codec.decode(read), 'prepared').to.throw(StoreUnavailable);
      await codec.prepare([written, read]);
      expect(codec.decode(read).event).to.deep.equal(codec.decode(written).event);
    });

    it('is needed before decode', () => {
      const codec = createCodec(registry, memoryPersonalKeys());
      expect(() => codec.decode(sealedWith('a', 1))).to.throw(/was not prepared/);
    });

    it('holds a bounded number of keys, and never drops one that the batch in hand needs', async () => {
      const keys = memoryPersonalKeys();
      const codec = createCodec(registry, keys);
      const first = stored(await codec.encode(created, eventId(1), meta(), subject));
      await codec.prepare([first]);
      const many = (from: number, count: number) =>
        Array.from({ length: count }, (_, n) => sealedWith(`k${from + n}`, from + n));
      await codec.prepare(many(0, 49_999));
      // The cache is full. `first` needs the oldest key, and the other record needs room for a new one.
      const [recorded] = await codec.decodeAll([first, ...many(50_000, 1)]);
      expect(recorded!.event).to.deep.equal(created);
      await codec.prepare(many(100_000, 50_000));
      const calls = keys.asked.length;
      await codec.prepare([stored(first)]);
      expect(keys.asked.length, 'the oldest key was dropped').to.equal(calls + 1);
    });
  });

  describe('with a bound on how long an opened key is believed', () => {
    const since = async () => {
      const keys = memoryPersonalKeys();
      let now = 0;
      const codec = createCodec(registry, keys, { keysFreshMs: 5_000, monotonic: () => now });
      const record = stored(await codec.encode(created, eventId(1), meta(), subject));
      await codec.prepare([record]);
      return { keys, codec, record, wait: (ms: number) => (now += ms) };
    };

    it('asks again at half the time, and sees that the key was destroyed elsewhere', async () => {
      const { keys, codec, record, wait } = await since();
      await keys.destroy(subject);
      wait(2_499);
      expect((await codec.decodeAll([record]))[0]!.event, 'still believed').to.deep.equal(created);
      wait(1);
      expect((await codec.decodeAll([record]))[0]!.event.data['phone']).to.equal(null);
      expect(keys.asked).to.have.length(2);
    });

    it('opens events with the sealing key while that is fresh, and asks for every other key', async () => {
      const { keys, record } = await since();
      const sealedWith = (record.data['sealed'] as { readonly key: string }).key;
      const id = `${subject}.1`;
      const key = (await keys.open([sealedWith])).get(sealedWith)!;
      const sealed = { ...(record.data['sealed'] as object), key: id };
      const own = { ...record, data: { ...record.data, sealed } };
      const asked: string[][] = [];
      let now = 2_499;
      let atHand = { keyId: id, key, askedAt: 0 };
      const other = createCodec(
        registry,
        {
          ...keys,
          keyAtHand: () => atHand,
          async open(ids) {
            asked.push([...ids]);
            return new Map();
          },
        },
        { keysFreshMs: 5_000, monotonic: () => now },
      );
      expect((await other.decodeAll([own]))[0]!.event).to.deep.equal(created);
      expect(asked).to.deep.equal([]);
      now = 2_500;
      expect((await other.decodeAll([own]))[0]!.event.data['phone'], 'destroyed since').to.equal(null);
      expect(asked).to.deep.equal([[id]]);
      now = 5_500;
      atHand = { keyId: `${subject}.2`, key, askedAt: now };
      await other.decodeAll([own]);
      expect(asked, 'another key of the person').to.deep.equal([[id], [id]]);
    });

    it('does not let the use of a key make it younger', async () => {
      const { keys, codec, record, wait } = await since();
      for (let n = 0; n < 5; n += 1) {
        wait(1_000);
        await codec.decodeAll([record]);
      }
      expect(keys.asked).to.have.length(2);
    });

    it('opens nothing with a key that ran out while the process stood still', async () => {
      const { codec, record, wait } = await since();
      wait(4_999);
      expect(codec.decode(record).event).to.deep.equal(created);
      wait(1);
      expect(() => codec.decode(record)).to.throw(StoreUnavailable, 'asked for too long ago');
      expect((await codec.decodeAll([record]))[0]!.event).to.deep.equal(created);
    });

    it('counts from the question, however long the answer takes', async () => {
      const { keys, codec, record, wait } = await since();
      wait(2_500);
      const open = keys.open.bind(keys);
      keys.open = (keyIds) => {
        wait(4_000);
        return open(keyIds);
      };
      await codec.prepare([record]);
      wait(1_000);
      expect(() => codec.decode(record)).to.throw(StoreUnavailable, 'asked for too long ago');
    });

    it('does not wait for an answer that was asked for too long ago', async () => {
      const { keys, codec, record, wait } = await since();
      wait(2_500);
      const open = keys.open.bind(keys);
      let answer: () => void = () => undefined;
      const slow = new Promise<void>((resolve) => (answer = resolve));
      keys.open = async (keyIds) => {
        await slow;
        return open(keyIds);
      };
      const first = codec.prepare([record]);
      keys.open = open;
      wait(2_500);
      expect((await codec.decodeAll([record]))[0]!.event).to.deep.equal(created);
      expect(keys.asked).to.have.length(2);
      answer();
      await first;
    });

    it('asks again for a key whose answer came too late to be believed, and gives up in the end', async () => {
      const { keys, codec, record, wait } = await since();
      wait(2_500);
      const open = keys.open.bind(keys);
      let late = 1;
      keys.open = (keyIds) => {
        if (late-- > 0) wait(5_000);
        return open(keyIds);
      };
      expect((await codec.decodeAll([record]))[0]!.event).to.deep.equal(created);
      expect(keys.asked).to.have.length(3);
      wait(2_500);
      late = Infinity;
      const refused = await codec.decodeAll([record]).catch((error: unknown) => error);
      expect(refused, 'a failure that passes').to.be.instanceOf(StoreUnavailable);
      expect(keys.asked).to.have.length(6);
    });
  });

  it('upcasts what it reads, opened or erased', async () => {
    const v1 = createSchemaRegistry([
      defineEvent('GuestNoted', 1, 'v1', { room: Type.Integer(), who: personal(Type.String()) }),
    ]);
    const v3 = createSchemaRegistry(
      [
        defineEvent('GuestNoted', 3, 'v3', {
          room: Type.String(),
          floor: Type.Integer(),
          name: personal(nullable(Type.String())),
        }),
      ],
      {
        'GuestNoted@1': ({ who, ...rest }) => ({ ...rest, name: who }),
        'GuestNoted@2': ({ room, ...rest }) => ({
          ...rest,
          room: String(room),
          floor: Math.floor(Number(room) / 100),
        }),
      },
    );
    const keys = memoryPersonalKeys();
    const old: DomainEvent = { type: 'GuestNoted', data: { room: 204, who: 'Ana' } };
    const record = stored(await createCodec(v1, keys).encode(old, eventId(1), meta(1), subject));
    const codec = createCodec(v3, keys);
    const [opened] = await codec.decodeAll([record]);
    expect(opened!.event.data).to.deep.equal({ room: '204', floor: 2, name: 'Ana' });
    await keys.destroy(subject);
    codec.forget();
    const [erased] = await codec.decodeAll([record]);
    expect(erased!.event.data).to.deep.equal({ room: '204', floor: 2, name: null });
  });

  it('passes on what it does not know: types and versions of a newer release', async () => {
    const codec = createCodec(registry, memoryPersonalKeys());
    const record = stored({ eventId: eventId(1), type: 'FromTomorrow', data: { a: 1 }, meta: meta(7) });
    const [recorded] = await codec.decodeAll([record]);
    expect(recorded).to.deep.equal({ event: { type: 'FromTomorrow', data: { a: 1 } }, record });
  });
});

async function events(codec: ReturnType<typeof createCodec>, records: readonly StoredRecord[]) {
  codec.forget();
  const decoded = await codec.decodeAll<typeof created | typeof contactEventExamples.named>(records);
  return decoded.map((d) => d.event);
}

/** Every text of at least three characters in a JSON value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= 3 ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
