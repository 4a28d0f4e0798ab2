/**
 * Polls WhatsApp for the state of every number, because no webhook reports when its quality changes between GREEN,
 * YELLOW and RED. Healthy numbers are polled rarely, others often. One process does it, under a lease. Webhooks about a
 * number or its account trigger a check at once (workers/inbound).
 */
import type { App } from '../../application/app.js';
import { checkChannel } from '../../application/provisioning/channels.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { watchedChannels, type WatchedChannel } from './channels.js';
import { every, type Rounds } from '../kernel/every.js';

export interface HealthOptions {
  readonly wellMs: number;
  readonly unwellMs: number;
  /** Time between checks for due channels. */
  readonly tickMs: number;
  /** Parallel calls to WhatsApp. */
  readonly atOnce: number;
  /** 0 ≤ x < 1; spreads the calls. */
  readonly random: () => number;
}

const DEFAULTS: HealthOptions = {
  wellMs: 15 * 60_000,
  unwellMs: 2 * 60_000,
  tickMs: 10_000,
  atOnce: 5,
  random: Math.random,
};

/**
 * Meta allows an app 200 management calls per account and hour, which template syncs and operators need too. All
 * numbers of one account together use at most 50 of them.
 */
const PER_NUMBER_MS = 72_000;
/** A refused token is checked once more before the refusal is recorded, because waiting messages then fail. */
const ASK_AGAIN_MS = 30_000;
const ACTOR = { actor: 'worker:channel-health' };

/** GREEN, or a number too young to be rated. */
const isWell = ({ status, quality_rating }: WatchedChannel): boolean =>
  status === 'connected' && quality_rating !== 'YELLOW' && quality_rating !== 'RED';

export function startChannelHealth(
  app: Pick<
    App,
    'clock' | 'executor' | 'indexSecret' | 'logger' | 'newId' | 'provider' | 'readModels' | 'secrets'
  >,
  given: Partial<HealthOptions> = {},
): Rounds {
  const options: HealthOptions = { ...DEFAULTS, ...given };
  const { clock, logger } = app;
  /** Due time of each channel, by the monotonic clock. A process that loses the lease loses only these times. */
  let dueAt = new Map<string, number>();
  const suspected = new Set<string>();

  const jitter = (ms: number): number => ms * (0.8 + options.random() * 0.4);

  async function round(stopping: () => boolean): Promise<void> {
    const now = clock.monotonic();
    const turns = new Map<string, number>();
    const numbers = new Map<string, number>();
    const due: WatchedChannel[] = [];
    for await (const channel of watchedChannels(app.readModels)) {
      const first = now + options.random() * (isWell(channel) ? options.wellMs : options.unwellMs);
      const turn = dueAt.get(channel.uuid) ?? first;
      turns.set(channel.uuid, turn);
      numbers.set(channel.waba_id, (numbers.get(channel.waba_id) ?? 0) + 1);
      if (turn <= now) due.push(channel);
    }
    dueAt = turns;
    for (const uuid of suspected) if (!turns.has(uuid)) suspected.delete(uuid);
    for (let from = 0; from < due.length && !stopping(); from += options.atOnce) {
      await Promise.all(
        due.slice(from, from + options.atOnce).map(async (channel) => {
          const wait = await ask(channel);
          const least = (numbers.get(channel.waba_id) ?? 1) * PER_NUMBER_MS;
          dueAt.set(channel.uuid, clock.monotonic() + (wait ?? jitter(Math.max(interval(channel), least))));
        }),
      );
    }
  }

  /** Uses the state known before the poll: a change for the worse is in the document that the next round reads. */
  const interval = (channel: WatchedChannel): number => (isWell(channel) ? options.wellMs : options.unwellMs);

  /** Milliseconds until the next check of the channel; null for the usual interval. */
  async function ask(channel: WatchedChannel): Promise<number | null> {
    const { uuid } = channel;
    const recordRefusal = suspected.delete(uuid);
    try {
      const { changed } = await checkChannel(app, { channelUuid: uuid, recordRefusal }, ACTOR);
      if (changed) logger.info({ channel_uuid: uuid }, 'WhatsApp reports another state of a number');
      // The read model contains the new state by then, and that state decides the interval after it.
      return changed ? jitter(options.unwellMs) : null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === 'channel_not_connected' || error.code === 'not_found') return null;
      if (error.code === 'provider_rejected' && !recordRefusal && channel.status !== 'unauthorized') {
        suspected.add(uuid);
        return ASK_AGAIN_MS;
      }
      logger.warn(
        { channel_uuid: uuid, code: error.code, reason: error.message },
        'the state of a number can not be read',
      );
      return jitter(options.unwellMs);
    }
  }

  return every(app, options.tickMs, 'asking for the state of numbers', round);
}
