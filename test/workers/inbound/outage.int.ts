/**
 * WhatsApp could not reach the product for a day, and delivers that day in any order. Webhooks are shuffled, some
 * twice, each with updates of other hours. Edits, deletions and statuses come before their messages; several are read
 * at once.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { EventPointer } from '../../../application/relay.js';
import { outboundMessageId } from '../../../domain/message/decide.js';
import { outranks, type MessageStatus } from '../../../domain/message/status.js';
import { messages, type MessageDoc } from '../../../read-models/messages.js';
import { ask } from '../../support/api/client.js';
import { opened } from '../../support/opened.js';
import { attempt } from '../../support/sends/attempt.js';
import { runs } from '../../support/soak.js';
import { changeOf, OWN_PHONE, webhookOfChanges } from '../../support/whatsapp-webhook.js';
import { startInbound } from './harness.js';

const DAY_S = 86_400;
const BEGAN_S = Date.parse('2025-06-01T00:00:00.000Z') / 1_000;
const AT_ONCE = 6;
/** An update that fails by itself is tried again in these rounds, while the rest arrives. */
const MAX_ROUNDS = 5;

const statuses = fc.uniqueArray(fc.constantFrom('sent', 'delivered', 'read', 'failed'), { maxLength: 4 });
const happened = fc.record({
  said: fc.array(
    fc.record({
      second: fc.nat({ max: DAY_S - 1 }),
      by: fc.constantFrom('customer', 'customer', 'app'),
      edits: fc.nat({ max: 2 }),
      deleted: fc.boolean(),
      answersBefore: fc.boolean(),
      /** Statuses of a message written in the WhatsApp Business app. */
      statuses,
    }),
    { minLength: 1, maxLength: 9 },
  ),
  ofSend: statuses,
});
type Happened = typeof happened extends fc.Arbitrary<infer T> ? T : never;

interface Update {
  readonly field: 'messages' | 'smb_message_echoes';
  readonly list: 'messages' | 'message_echoes' | 'statuses';
  readonly item: object;
}

/** A message with its second of the day, its last text, and whether it was deleted. */
interface Expected {
  readonly id: string;
  readonly second: number;
  readonly text: string;
  readonly deleted: boolean;
  readonly statuses: readonly string[];
}

let cases = 0;

function updatesOf(
  { said, ofSend }: Happened,
  nth: number,
  send: { readonly id: string; readonly operation: string },
) {
  const phone = phoneOf(nth);
  const updates: Update[] = [];
  const expected: Expected[] = [];
  const status = (id: string, name: string, handle?: string): Update => ({
    field: 'messages',
    list: 'statuses',
    item: {
      id,
      status: name,
      timestamp: String(BEGAN_S + DAY_S),
      recipient_id: phone,
      ...(handle === undefined ? {} : { biz_opaque_callback_data: handle }),
      ...(name === 'failed' ? { errors: [{ code: 131026, title: 'Message undeliverable' }] } : {}),
    },
  });
  const inOrder = said.toSorted((a, b) => a.second - b.second);
  for (const [n, one] of inOrder.entries()) {
    const id = `wamid.DAY${nth}x${n}`;
    const ofApp = one.by === 'app';
    const add = (at: number, own: string, item: object): void =>
      void updates.push({
        ...(ofApp
          ? { field: 'smb_message_echoes', list: 'message_echoes' }
          : { field: 'messages', list: 'messages' }),
        item: {
          ...(ofApp ? { from: OWN_PHONE, to: phone } : { from: phone }),
          id: own,
          timestamp: String(BEGAN_S + at),
          ...item,
        },
      });
    const context = n > 0 && one.answersBefore ? { context: { id: `wamid.DAY${nth}x${n - 1}` } } : {};
    add(one.second, id, { type: 'text', text: { body: `said ${n}` }, ...context });
    for (let edit = 1; edit <= one.edits; edit += 1) {
      const message = { type: 'text', text: { body: `said ${n}, edit ${edit}` } };
      add(one.second + edit, `${id}e${edit}`, { type: 'edit', edit: { original_message_id: id, message } });
    }
    if (one.deleted) add(one.second + 60, `${id}r`, { type: 'revoke', revoke: { original_message_id: id } });
    if (ofApp) updates.push(...one.statuses.map((name) => status(id, name)));
    expected.push({
      id,
      second: one.second,
      text: one.edits === 0 ? `said ${n}` : `said ${n}, edit ${one.edits}`,
      deleted: one.deleted,
      statuses: ofApp ? one.statuses : [],
    });
  }
  updates.push(
    ...ofSend.map((name, index) => status(send.id, name, index % 2 === 0 ? send.operation : undefined)),
  );
  return { updates, expected };
}

const phoneOf = (nth: number): string => `55119${40_000_000 + nth}`;

const webhook = (updates: readonly Update[]): object =>
  webhookOfChanges(updates.map(({ field, list, item }) => changeOf(field, { [list]: [item] })));

describe('a day of webhooks in any order', function () {
  this.timeout(120_000);
  const inbound = opened(startInbound);

  async function send(nth: number) {
    const { app, api, world, channel, whatsapp } = inbound;
    const json = {
      recipient: { phone: `+${phoneOf(nth)}` },
      channel_uuid: channel,
      type: 'text',
      content: { text: 'Olá' },
    };
    const headers = { 'idempotency-key': `day-${nth}` };
    const answer = await ask(api, 'POST', '/messages', { key: world.key, json, headers });
    expect(answer.status, answer.text).to.equal(202);
    const operation = String((answer.body.data as { uuid: string }).uuid);
    const id = `wamid.SENT${nth}`;
    whatsapp.answer = () => ({ kind: 'accepted', messageId: id, waId: null, userId: null, held: false });
    await attempt(app, operation);
    return { id, operation };
  }

  /** Delivers the webhooks in this order, and reads them concurrently, repeatedly until each has been read. */
  async function deliver(webhooks: readonly object[]): Promise<readonly EventPointer[]> {
    const pointers: EventPointer[] = [];
    for (const body of webhooks) pointers.push((await inbound.tell(body)).pointer);
    let waiting = pointers;
    for (let round = 1; waiting.length > 0; round += 1) {
      expect(round, 'rounds until all was read').to.be.at.most(MAX_ROUNDS);
      const again: EventPointer[] = [];
      for (let from = 0; from < waiting.length; from += AT_ONCE) {
        const some = waiting.slice(from, from + AT_ONCE);
        const outcomes = await Promise.all(some.map((pointer) => inbound.read(pointer, round)));
        again.push(...some.filter((_, n) => outcomes[n]!.kind === 'later'));
      }
      waiting = again;
    }
    return pointers;
  }

  async function shown(conversation: string): Promise<readonly MessageDoc[]> {
    const { documents } = await inbound.app.readModels.find(messages.name, {
      index: 'by_conversation',
      equals: [conversation],
      order: 'asc',
      limit: 100,
    });
    return documents.map(({ doc }) => doc);
  }

  const highest = (told: readonly string[], from: MessageStatus): MessageStatus =>
    (told as readonly MessageStatus[]).reduce((best, next) => (outranks(next, best) ? next : best), from);

  it('ends in the conversation as it was: in order, each once, edited, taken back, with its last status', async () => {
    const play = happened.chain((one) => {
      // The number of updates depends neither on the person nor on the send, which are created with the case.
      const { length } = updatesOf(one, 0, { id: '', operation: '' }).updates;
      const places = Array.from({ length }, (_, place) => place);
      return fc.record({
        one: fc.constant(one),
        order: fc.shuffledSubarray([...places, ...places], { minLength: length, maxLength: 2 * length }),
        sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
        twice: fc.boolean(),
      });
    });
    await fc.assert(
      fc.asyncProperty(play, async ({ one, order, sizes, twice }) => {
        const nth = (cases += 1);
        const sent = await send(nth);
        const { updates, expected } = updatesOf(one, nth, sent);
        // Every update arrived at least once.
        const all = [...order, ...updates.keys()].filter(
          (place, index, list) => index < order.length || list.indexOf(place) === index,
        );
        const webhooks: object[] = [];
        for (let from = 0, n = 0; from < all.length; n += 1) {
          const size = sizes[n % sizes.length]!;
          webhooks.push(webhook(all.slice(from, from + size).map((place) => updates[place]!)));
          from += size;
        }
        const pointers = await deliver(twice ? [...webhooks, ...webhooks] : webhooks);
        for (const pointer of pointers) expect(await inbound.parked(pointer)).to.deep.equal([]);

        const uuid = outboundMessageId(sent.operation);
        const own = (await inbound.app.readModels.get(messages.name, uuid))!.doc;
        const list = await shown(own.conversation_uuid);
        expect(list.at(-1)!.uuid, 'what is said now stands behind what was said then').to.equal(uuid);
        const told = list.slice(0, -1);
        expect(told.map(({ provider_message_id }) => provider_message_id)).to.have.members(
          expected.map(({ id }) => id),
        );
        const seconds = told.map(({ sent_at }) => Date.parse(sent_at!) / 1_000 - BEGAN_S);
        expect(seconds).to.deep.equal(seconds.toSorted((a, b) => a - b));
        for (const doc of told) {
          const { second, text, deleted, ...then } = expected.find(
            ({ id }) => id === doc.provider_message_id,
          )!;
          expect(Date.parse(doc.sent_at!) / 1_000).to.equal(BEGAN_S + second);
          expect(doc.deleted_at !== null).to.equal(deleted);
          if (!deleted) expect(doc.content).to.deep.equal({ text });
          expect(doc.status).to.equal(
            doc.direction === 'inbound' ? 'received' : highest(then.statuses, 'sent'),
          );
        }
        expect(own.status).to.equal(highest(one.ofSend, 'sent'));
      }),
      { numRuns: runs(12, 300) },
    );
  });
});
