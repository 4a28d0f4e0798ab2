/** Webhooks in the lanes of the inbox, in memory. Tests set the outcome of each update, and everything is recorded. */
import type { App } from '../../../application/app.js';
import { lanesOf } from '../../../application/provider-webhook/lanes.js';
import { webhookParts, type WebhookPointer } from '../../../application/relay.js';
import { intakeStream } from '../../../domain/streams.js';
import type { Position, StoredRecord } from '../../../ports/event-store.js';
import type { ChannelRef } from '../../../workers/inbound/channels.js';
import { INBOUND_UPDATES } from '../../../workers/inbound/hand-on.js';
import { collectingLogger } from '../../support/app.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';

export const NUMBER = '106540352242922';

export interface Parked {
  readonly command: { readonly type: string; readonly index: number; readonly kind: string; reason: string };
  readonly context: Readonly<Record<string, unknown>>;
}

/** The uuid of the n-th webhook's stream. */
export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const phoneOf = (person: string): string => [...person].map((char) => char.charCodeAt(0)).join('');

/** A webhook with a text from each person, to one number. */
export const texts = (from: readonly string[], phoneNumberId = NUMBER): object =>
  ofChanges({
    field: 'messages',
    value: {
      metadata: { phone_number_id: phoneNumberId },
      messages: from.map((person, n) => ({
        from: phoneOf(person),
        id: `wamid.${person}.${n}`,
        timestamp: '1767225599',
        type: 'text',
        text: { body: 'oi' },
      })),
    },
  });

export const ofChanges = (...changes: readonly object[]): object => ({
  object: 'whatsapp_business_account',
  entry: [{ id: 'waba', changes }],
});

export const RECEIVED_AT = '2026-01-02T03:04:05.000Z';

/** No channel has the numbers, unless `channels` lists one: each update is parked, which shows when it was applied. */
export function memoryIntake() {
  const clock = manualClock();
  const dueTimes = memoryDueTimes(() => clock.now());
  const { logger, log } = collectingLogger();
  const bodies = new Map<string, string | null | Error>();
  const parked: Parked[] = [];
  /** Called once for each update of a number, before it is applied. */
  const answers = {
    channel: async (): Promise<void> => undefined,
    /** Called for each command, before it is recorded. */
    command: async (): Promise<void> => undefined,
  };
  const channels: ChannelRef[] = [];
  /** States of streams, by their id. */
  const states = new Map<string, object>();
  const stateOf = (id: string) => ({ state: states.get(id) ?? { exists: false, phase: 'none' } });
  const app = {
    clock,
    dueTimes,
    logger,
    barrier: fakeBarrier(),
    readModels: {
      find: async (collection: string) => {
        if (collection !== 'channels') return { documents: [], next: null };
        await answers.channel();
        return { documents: channels.map((doc) => ({ doc })), next: null };
      },
    },
    store: {
      read: async (stream: string, { limit }: { limit: number }) => {
        const body = bodies.get(stream);
        if (body instanceof Error) throw body;
        return [{ stream, meta: { occurred_at: RECEIVED_AT } }].slice(0, limit);
      },
    },
    codec: {
      decodeAll: async (records: readonly StoredRecord[]) =>
        records.map(({ stream }) => {
          const body = bodies.get(stream) as string | null;
          const base64 = body === null ? null : Buffer.from(body).toString('base64');
          return { event: { type: 'ProviderWebhookReceived', data: { parts: 0, body: base64 } } };
        }),
    },
    executor: {
      over: (): unknown => app.executor,
      load: async (_: unknown, id: string) => stateOf(id),
      recall: async (_: unknown, id: string) => stateOf(id),
      execute: async (_: unknown, id: string, command: Parked['command'], context: Parked['context']) => {
        await answers.command();
        parked.push({ command, context: { ...context, id } });
      },
    },
  } as unknown as App;
  let webhooks = 0;

  /** The pointers that the relay publishes for a stored webhook. Earlier releases stored webhooks without lanes. */
  function keep(body: object | string | null | Error, lanes?: readonly string[]): readonly WebhookPointer[] {
    const n = (webhooks += 1);
    const stream = intakeStream.toName(uuidOf(n));
    bodies.set(
      stream,
      body !== null && typeof body === 'object' && !(body instanceof Error) ? JSON.stringify(body) : body,
    );
    const whole = {
      stream,
      revision: 0,
      position: String(n).padStart(12, '0') as Position,
      event_id: `e${n}`,
      company: 'system',
      correlation_id: `trace-${n}`,
    };
    return webhookParts(whole, lanes ?? (bodies.get(stream) === JSON.stringify(body) ? lanesOf(body) : []));
  }

  return {
    app,
    clock,
    dueTimes,
    log,
    parked,
    answers,
    channels,
    states,
    keep,
    /** Puts a webhook into a lane, to be read; returns its pointer. */
    async lay(body: object | string | null | Error, lane = NUMBER, inMs = 0): Promise<WebhookPointer> {
      const [value] = keep(body, [lane]);
      const row = {
        queue: INBOUND_UPDATES,
        id: value!.event_id,
        lane,
        dueAt: clock.now() + inMs,
        payload: { value },
      };
      await dueTimes.schedule([row]);
      return value!;
    },
    /** The updates in the order they were applied; `e1/0` is the first update of the first webhook. */
    applied: () => parked.map(({ command, context }) => `${String(context['causationId'])}/${command.index}`),
  };
}
