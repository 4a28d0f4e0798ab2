/** Watches which member of a consumer group owns each partition, and how far the work of each partition is. */
import { AssignerProtocol, Kafka, logLevel } from 'kafkajs';
import { systemClock } from '../../../adapters/clock/system.js';
import { pause } from '../../../ports/waiting.js';
import type { Env } from './history.js';

/** Topics that the load of these tests keeps busy, with the group of each. */
export const GROUPS: Readonly<Record<string, string>> = {
  sends: 'sending',
  intake: 'inbound',
  notifications: 'notifications',
  flows: 'flows',
};
const LOOK_EVERY_MS = 50;

/** A partition whose work went from one member to another one. */
export interface HandOver {
  /** `<topic> <partition>`. */
  readonly place: string;
  readonly from: string;
  readonly to: string;
  /**
   * How long messages of the partition waited while nothing of it was committed, until the first commit of the new
   * owner, or until now. 0 while nothing waits.
   */
  readonly stoodStillMs: number;
  /** The new owner has committed. */
  readonly done: boolean;
}

export interface Owners {
  /** Places of this member, or of all members. */
  places(member?: string): readonly string[];
  owner(place: string): string | undefined;
  /** Members that own a partition now. */
  members(): ReadonlySet<string>;
  /** The last hand-over of each place since this time (`performance.now`); waits are counted from then on. */
  handOvers(since: number): readonly HandOver[];
  close(): Promise<void>;
}

interface Place {
  owner: string | undefined;
  committed: bigint;
  /** Since when something has waited and nothing was committed; undefined while nothing waits. */
  waitingSince: number | undefined;
  move?: { at: number; from: string; to: string; done?: { at: number; waitedSince: number } };
}

/** A member is named by the client id of its process, which its memberships of all groups share. */
export async function watchOwners(env: Env): Promise<Owners> {
  const kafka = new Kafka({ brokers: env['KAFKA_BROKERS']!.split(','), logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  const places = new Map<string, Place>();
  const groups = Object.entries(GROUPS).map(([name, group]) => {
    const topic = `${env['KAFKA_TOPIC_PREFIX']}${name}`;
    return { name, topic, id: `${topic}.${group}` };
  });
  let closed = false;

  async function look(): Promise<void> {
    const { groups: found } = await admin.describeGroups(groups.map(({ id }) => id));
    await Promise.all(
      groups.map(async ({ name, topic, id }) => {
        const owners = new Map<number, string>();
        for (const member of found.find(({ groupId }) => groupId === id)?.members ?? []) {
          const assigned = AssignerProtocol.MemberAssignment.decode(member.memberAssignment);
          for (const partition of assigned?.assignment[topic] ?? []) owners.set(partition, member.clientId);
        }
        const [committed] = await admin.fetchOffsets({ groupId: id, topics: [topic] });
        const ends = await admin.fetchTopicOffsets(topic);
        const now = performance.now();
        for (const { partition, high } of ends) {
          const at = committed?.partitions.find((one) => one.partition === partition)?.offset ?? '-1';
          saw(`${name} ${partition}`, owners.get(partition), BigInt(at), BigInt(high), now);
        }
      }),
    );
  }

  function saw(name: string, owner: string | undefined, at: bigint, end: bigint, now: number): void {
    const committed = at < 0n ? 0n : at;
    const place = places.get(name) ?? { owner, committed, waitingSince: undefined };
    places.set(name, place);
    // During a rebalance nobody is the owner; commits of that time are the former owner's.
    if (owner !== undefined && owner !== place.owner) {
      if (place.owner !== undefined) place.move = { at: now, from: place.owner, to: owner };
      place.owner = owner;
    } else if (committed > place.committed && place.move) {
      place.move.done ??= { at: now, waitedSince: place.waitingSince ?? now };
    }
    if (committed > place.committed) place.waitingSince = undefined;
    place.committed = committed;
    if (end <= committed) place.waitingSince = undefined;
    else place.waitingSince ??= now;
  }

  async function watch(): Promise<void> {
    while (!closed) {
      // The broker may be away for a moment.
      await look().catch(() => undefined);
      await pause(systemClock, LOOK_EVERY_MS);
    }
  }
  await look();
  const watching = watch();

  return {
    places: (member) =>
      [...places].filter(([, { owner }]) => member === undefined || owner === member).map(([name]) => name),
    owner: (name) => places.get(name)?.owner,
    members: () => new Set([...places.values()].flatMap(({ owner }) => owner ?? [])),
    handOvers: (since) =>
      [...places].flatMap(([place, { move, waitingSince }]) => {
        if (!move || move.at < since) return [];
        const { from, to, done } = move;
        const waited = done?.waitedSince ?? waitingSince;
        const until = done?.at ?? performance.now();
        const stoodStillMs = waited === undefined ? 0 : Math.round(until - Math.max(since, waited));
        return [{ place, from, to, stoodStillMs, done: done !== undefined }];
      }),
    async close() {
      closed = true;
      await watching;
      await admin.disconnect();
    },
  };
}
