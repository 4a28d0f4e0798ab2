/**
 * Payloads that are almost Meta's: a thousand samples with parts dropped, doubled, retyped, nested, renamed and
 * reordered. The endpoint accepts each, each ends as applied or parked, and no message is lost on the way.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import { ask } from '../../support/api/client.js';
import { NUMBER } from '../../support/whatsapp-webhook.js';
import { LAST_TRY, sampleWebhooks, startInbound } from './harness.js';
import { opened } from '../../support/opened.js';
import { runs } from '../../support/soak.js';
import { messages } from '../../../read-models/messages.js';

const RUNS = runs(1000);
/** Handled concurrently, so that several compete for the same contact and conversation. */
const AT_ONCE = 20;

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Holder = Json[] | { [key: string]: Json };

/** Stands for nesting so deep that only the text can hold it without exhausting the stack. */
const BURIED = 'buried alive';
const LEVELS = 20_000;
const bury = (text: string): string =>
  text.replaceAll(`"${BURIED}"`, `${'['.repeat(LEVELS)}1${']'.repeat(LEVELS)}`);

const ODD: readonly Json[] = [
  ...[null, true, false, 0, -1, 1.5, 1e300, '', ' ', 'x', '\u0000', '\ud800', '🙂', '1767225599', 'PARAR'],
  ...[[], {}, [null], { id: null }, { __proto: 1 }, { toString: 1 }, 'y'.repeat(5000), '9'.repeat(600)],
  ...[
    'constructor',
    'text',
    'edit',
    'system',
    'unsupported',
    'statuses',
    '-5',
    '99999999999999',
    '2999-01-01',
  ],
];

interface Mutation {
  readonly how: 'drop' | 'double' | 'retype' | 'wrap' | 'rename' | 'reverse' | 'swap' | 'bury';
  /** Index of the changed place in the payload, modulo the number of places. */
  readonly at: number;
  readonly odd: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  how: fc.constantFrom('drop', 'double', 'retype', 'wrap', 'rename', 'reverse', 'swap', 'bury'),
  at: fc.nat({ max: 10_000 }),
  odd: fc.nat({ max: ODD.length - 1 }),
});

function places(value: Json, into: [Holder, string][] = []): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return into;
  for (const key of Object.keys(value)) {
    into.push([value, key]);
    places((value as Record<string, Json>)[key]!, into);
  }
  return into;
}

function mutate(payload: Json, { how, at, odd }: Mutation): void {
  const all = places(payload);
  if (all.length === 0) return;
  const [holder, key] = all[at % all.length]!;
  const object = holder as Record<string, Json>;
  const value = object[key]!;
  switch (how) {
    case 'drop':
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return;
    case 'double':
      if (Array.isArray(holder)) holder.push(structuredClone(value));
      else holder[`${key}_2`] = structuredClone(value);
      return;
    case 'retype':
      object[key] = structuredClone(ODD[odd]!);
      return;
    case 'wrap':
      object[key] = odd % 2 === 0 ? [value] : { [key]: value };
      return;
    case 'bury':
      object[key] = BURIED;
      return;
    case 'rename':
      if (Array.isArray(holder)) return;
      delete holder[key];
      holder[`${key}x`] = value;
      return;
    case 'reverse':
      if (Array.isArray(value)) value.reverse();
      else if (typeof value === 'object' && value !== null) {
        object[key] = Object.fromEntries(Object.entries(value).reverse());
      }
      return;
    case 'swap': {
      const [other, otherKey] = all[(at * 7 + 1) % all.length]!;
      const theirs = (other as Record<string, Json>)[otherKey]!;
      // A part cannot contain itself.
      if (JSON.stringify(value).includes(JSON.stringify(theirs))) return;
      if (JSON.stringify(theirs).includes(JSON.stringify(value))) return;
      object[key] = theirs;
      (other as Record<string, Json>)[otherKey] = value;
    }
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads independently of the parser: messages with an id and a sender, in a place where messages belong. */
function mustBeThere(payload: unknown): readonly string[] {
  if (!isObject(payload) || payload['object'] !== 'whatsapp_business_account') return [];
  const found: string[] = [];
  for (const entry of listOf(payload['entry'])) {
    for (const change of listOf(isObject(entry) ? entry['changes'] : null)) {
      if (!isObject(change) || change['field'] !== 'messages' || !isObject(change['value'])) continue;
      const { metadata, messages } = change['value'];
      if (!isObject(metadata) || metadata['phone_number_id'] !== NUMBER) continue;
      for (const message of listOf(messages)) {
        if (!isObject(message)) continue;
        const { id, from, type } = message;
        if (typeof id !== 'string' || !/^wamid\.\w{1,200}$/.test(id)) continue;
        if (typeof from !== 'string' || !/^55119\d{8}$/.test(from)) continue;
        if (type === 'edit' || type === 'revoke' || type === 'system') continue;
        found.push(id);
      }
    }
  }
  return found;
}

describe('provider webhooks that are almost right', function () {
  this.timeout(300_000);
  const inbound = opened(startInbound);
  before(async () => {
    // Messages that statuses, edits and reactions refer to.
    for (const name of ['text', 'image', 'echo']) await inbound.deliver(sampleWebhooks().get(name)!);
  });

  /** Delivers the webhook and reads it until it is applied or parked; returns what was parked. */
  async function settle(body: string): Promise<readonly string[]> {
    const { status, pointer } = await inbound.tell(body);
    expect(status, 'answer at the door').to.equal(200);
    for (const tries of [1, 2, 3, LAST_TRY, LAST_TRY, LAST_TRY]) {
      const outcome = await inbound.read(pointer, tries);
      if (outcome.kind === 'later') continue;
      expect(outcome.kind).to.equal('handled');
      return inbound.parked(pointer);
    }
    throw new Error('it was neither applied nor parked');
  }

  it(`end as applied or parked, ${RUNS} of them, and lose no message`, async () => {
    const samples = [...sampleWebhooks().entries()];
    const plan = fc.sample(
      fc.record({
        sample: fc.nat({ max: samples.length - 1 }),
        mutations: fc.array(mutation, { minLength: 1, maxLength: 4 }),
        cut: fc.oneof(
          { weight: 30, arbitrary: fc.constant(null) },
          { weight: 1, arbitrary: fc.integer({ min: 0, max: 99 }) },
        ),
      }),
      { numRuns: RUNS },
    );
    let parked = 0;
    let there = 0;
    const run = async ({ sample, mutations, cut }: (typeof plan)[number], n: number): Promise<void> => {
      const [name, original] = samples[sample]!;
      // Each run has messages of its own; the messages that they refer to stay the same.
      const text = JSON.stringify(original).replace(/"id":"(wamid\.\w+)"/g, `"id":"$1R${n}"`);
      const payload = JSON.parse(text) as Json;
      for (const one of mutations) mutate(payload, one);
      const whole = bury(JSON.stringify(payload));
      const body = cut === null ? whole : whole.slice(0, Math.floor((cut * whole.length) / 100));
      const where = `${name}, run ${n}: ${body.length > 2000 ? `${body.slice(0, 2000)}…` : body}`;
      const left = await settle(body).catch((error: unknown) => {
        throw new Error(`${String(error)} in ${where}`);
      });
      parked += left.length;
      expect(
        left.filter((reason) => /it failed|does not fit/.test(reason)),
        where,
      ).to.deep.equal([]);
      if (cut !== null) return;
      for (const id of mustBeThere(JSON.parse(body))) {
        there += 1;
        expect(await inbound.message(id), `${id} of ${where}`).to.be.an('object');
      }
    };
    for (let from = 0; from < plan.length; from += AT_ONCE) {
      await Promise.all(plan.slice(from, from + AT_ONCE).map((one, i) => run(one, from + i)));
    }
    const errors = inbound.api.log.filter(({ level }) => level === 'error');
    expect(errors.map(({ fields, message }) => [message, String(fields['err'])])).to.deep.equal([]);
    // The plan is meaningful: some payloads were broken, many were not.
    expect(parked).to.be.greaterThan(RUNS / 20);
    expect(there).to.be.greaterThan(RUNS / 10);
  });

  it('leave behind what the API can show, all of it fit for the contract', async () => {
    const { key } = inbound.world;
    async function pagesOf(list: string): Promise<number> {
      let seen = 0;
      for (let after = ''; ;) {
        const { status, body, text } = await ask(inbound.api, 'GET', `${list}?limit=100${after}`, { key });
        expect(status, text.slice(0, 500)).to.equal(200);
        seen += (body.data as unknown[]).length;
        if (!body.meta?.next_cursor) return seen;
        after = `&after=${encodeURIComponent(body.meta.next_cursor)}`;
      }
    }
    const conversations = await inbound.conversations();
    expect(await pagesOf('/conversations')).to.equal(conversations.length);
    let seen = 0;
    for (const { uuid } of conversations) seen += await pagesOf(`/conversations/${uuid}/messages`);
    expect(seen).to.be.greaterThan(RUNS / 10);
  });

  it('count what is there: every conversation adds up', async () => {
    for (const { uuid, counters, unread_count } of await inbound.conversations()) {
      const total = await inbound.app.readModels.count(messages.name, 'by_conversation', [uuid]);
      expect(counters.messages, uuid).to.equal(total);
      expect(unread_count).to.be.at.most(counters.inbound);
      expect(counters.inbound + counters.outbound).to.be.at.most(counters.messages);
    }
  });
});
