import { setTimeout as pause } from 'node:timers/promises';
import { type Connections, openConnections } from './connections.js';
import { type Denied, type FaultPlan, type LostAnswer, noFaults, releaseAnswers } from './fault-plan.js';
import { createHistory } from './history.js';
import { type Log, openLog } from './log.js';
import type { StoredRecord } from './records.js';
import { startService } from './service.js';
import { type DropReason, type Subscriptions, createSubscriptions } from './subscriptions.js';
import { writeSystemEvents } from './system-events.js';

export type { Denied, DropReason, LostAnswer };

export interface EventStoreStandInOptions {
  /** A free one when left out. */
  readonly port?: number;
  /**
   * Where the log is kept, so that acknowledged appends outlive a kill of the process (there is no fsync). Without it
   * the log lives as long as the stand-in, restarts included.
   */
  readonly dataDir?: string;
}

/** What can be made to go wrong. Counts are used up by the calls; everything else lasts until it is taken back. */
export interface Faults {
  /** The next appends are stored, and their answers never arrive: the connection is cut, or nothing comes. */
  loseAnswers(count?: number, how?: LostAnswer): void;
  /** The next appends and deletions are not stored; the call ends as UNAVAILABLE, and with it what else is in flight. */
  refuseAppends(count?: number): void;
  /** The next reads and subscriptions end as UNAVAILABLE. */
  refuseReads(count?: number): void;
  /** The next appends that share a call are told that the server is not ready; those beside them go on. */
  notReady(count?: number): void;
  /** Appends are stored and reads begun at once, and answered so much later. 0 ends it. */
  delayAnswers(milliseconds: number): void;
  /** Appends are stored and reads begun at once, and answered when the answers are released. */
  holdAnswers(): void;
  releaseAnswers(): void;
  /** As a server that knows no BatchAppend. */
  withoutBatchAppend(): void;
  /** Another node leads: gossip says so, and appends that ask for a leader are sent there. */
  follow(leaderPort: number): void;
  /**
   * As a server with users: `$all` to one who is no administrator and was not given that right, appends to one whom the
   * ACL leaves out, or everything to wrong credentials. The client sends none without TLS, so whose they are plays no part.
   */
  deny(what: Denied): void;
  /** As SIGSTOP: connections stay open, new ones are accepted, and nothing answers. */
  freeze(): void;
  thaw(): void;
  cutConnections(): void;
  /** Ends all open subscriptions; `too-slow` as the server does it to a slow consumer. */
  dropSubscriptions(how: DropReason): void;
  /** Those that are open now stay open and deliver nothing more. */
  silenceSubscriptions(): void;
  /**
   * A checkpoint at the newest record for every filtered subscription that is live. It comes behind the events it
   * covers, and the client announces it on receipt, while those may still lie in the consumer's buffer.
   */
  sendCheckpoint(): void;
  /** Takes back all that lasts or is left; answers that are held are lost. */
  clear(): void;
}

export interface EventStoreStandIn {
  /** A connection string for the client. */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  /** Open subscriptions, as the server sees them. */
  subscriptions(): number;
  connections(): number;
  /** Calls of BatchAppend that were begun. */
  batchCalls(): number;
  /** Same port and data; connections are cut, and the ids that make a repeat with ANY safe are forgotten. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  readonly log: Log;
  readonly subscriptions: Subscriptions;
  readonly stop: () => void;
}

/** How long a restart takes at least: as with a real server, its clients know of their loss before it is back. */
const AWAY_MS = 100;

/** Serves EventStoreDB's gRPC protocol on 127.0.0.1, without TLS and, unless it is made to deny, without authentication. */
export const startEventStoreStandIn = async (
  options: EventStoreStandInOptions = {},
): Promise<EventStoreStandIn> => {
  const faults = noFaults();
  let upstream = 0;
  let batchCalls = 0;
  let connections = await openConnections(options.port ?? 0, () => upstream);
  const { port } = connections;

  const run = async (kept?: readonly StoredRecord[]): Promise<Running> => {
    const log = openLog(options.dataDir, kept);
    const history = createHistory(log);
    const subscriptions = createSubscriptions(log, history);
    writeSystemEvents(log, history, port);
    const cut = (peer: string) => connections.cut(peer);
    const onBatchCall = (): void => void (batchCalls += 1);
    const service = await startService({ log, history, subscriptions, faults, cut, port, onBatchCall });
    upstream = service.port;
    return {
      log,
      subscriptions,
      stop() {
        service.stop();
        log.close();
      },
    };
  };
  let running = await run().catch(async (error: unknown) => {
    await connections.close();
    throw error;
  });

  const stop = async (): Promise<void> => {
    await connections.close();
    running.stop();
  };

  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    faults: faultsOf(
      faults,
      () => connections,
      () => running.subscriptions,
    ),
    subscriptions: () => running.subscriptions.count(),
    connections: () => connections.count(),
    batchCalls: () => batchCalls,
    async restart() {
      await stop();
      await pause(AWAY_MS);
      running = await run(running.log.all);
      connections = await openConnections(port, () => upstream);
    },
    stop,
  };
};

const faultsOf = (
  plan: FaultPlan,
  connections: () => Connections,
  subscriptions: () => Subscriptions,
): Faults => ({
  loseAnswers(count = 1, how = 'cut') {
    plan.loseAnswers = { count, how };
  },
  refuseAppends(count = 1) {
    plan.refuseAppends = count;
  },
  refuseReads(count = 1) {
    plan.refuseReads = count;
  },
  notReady(count = 1) {
    plan.notReady = count;
  },
  delayAnswers(milliseconds) {
    plan.delayMs = milliseconds;
  },
  holdAnswers() {
    plan.held ??= [];
  },
  releaseAnswers: () => releaseAnswers(plan),
  withoutBatchAppend() {
    plan.withoutBatchAppend = true;
  },
  follow(leaderPort) {
    plan.leaderPort = leaderPort;
  },
  deny(what) {
    plan.denied = what;
  },
  freeze: () => connections().freeze(),
  thaw: () => connections().thaw(),
  cutConnections: () => connections().cutAll(),
  dropSubscriptions: (how) => subscriptions().drop(how),
  silenceSubscriptions: () => subscriptions().silence(),
  sendCheckpoint: () => subscriptions().checkpoint(),
  clear() {
    Object.assign(plan, noFaults());
    connections().thaw();
  },
});
