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
  /** Default: a free port. */
  readonly port?: number;
  /**
   * Folder of the log, with which acknowledged appends survive a kill of the process (there is no fsync). Without a
   * folder the log lasts as long as the stand-in, including its restarts.
   */
  readonly dataDir?: string;
}

/** Simulated faults. A counted fault ends when its count is used up; every other fault lasts until it is revoked. */
export interface Faults {
  /** The next appends are stored, but their answers are lost: the connection is cut, or no answer is sent. */
  loseAnswers(count?: number, how?: LostAnswer): void;
  /**
   * The next appends and deletions are not stored. The call ends as UNAVAILABLE together with all other appends on it.
   */
  refuseAppends(count?: number): void;
  /** The next reads and subscriptions end as UNAVAILABLE. */
  refuseReads(count?: number): void;
  /** The next shared-call appends are answered with "server not ready"; other appends on the call continue. */
  notReady(count?: number): void;
  /** Appends are stored and reads start at once; their answers are sent after this delay. 0 ends the fault. */
  delayAnswers(milliseconds: number): void;
  /** Appends are stored and reads start at once; their answers wait for `releaseAnswers`. */
  holdAnswers(): void;
  releaseAnswers(): void;
  /** Behaves like a server without BatchAppend. */
  withoutBatchAppend(): void;
  /** Behaves like a follower: gossip names another leader, and appends that require a leader are redirected to it. */
  follow(leaderPort: number): void;
  /**
   * Behaves like a server with users. Denies `$all` to a user without that right, appends to a user outside the ACL, or
   * every call with wrong credentials. The client sends no credentials without TLS, so all callers count as that user.
   */
  deny(what: Denied): void;
  /** As SIGSTOP does: connections stay open, new ones are accepted, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  cutConnections(): void;
  /** Ends all open subscriptions; `too-slow` ends them as the server does for a slow consumer. */
  dropSubscriptions(how: DropReason): void;
  /** Subscriptions that are open now stay open but deliver nothing more. */
  silenceSubscriptions(): void;
  /**
   * Sends every live filtered subscription a checkpoint at the newest record. It follows the events that it covers. The
   * client announces it on receipt, while those events may still be in the consumer's buffer.
   */
  sendCheckpoint(): void;
  /** Ends all lasting faults and resets the counts; held answers are lost. */
  clear(): void;
}

export interface EventStoreStandIn {
  /** A connection string for the client. */
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  /** Number of open subscriptions on the server. */
  subscriptions(): number;
  connections(): number;
  /** Number of BatchAppend calls that were started. */
  batchCalls(): number;
  /** Keeps port and data; cuts connections and forgets the ids that make a repeated append with ANY safe. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface Running {
  readonly log: Log;
  readonly subscriptions: Subscriptions;
  readonly stop: () => void;
}

/**
 * Minimum duration of a restart: as with a real server, clients notice the lost connection before the server returns.
 */
const AWAY_MS = 100;

/** Serves EventStoreDB's gRPC protocol on 127.0.0.1, without TLS. It checks no credentials unless `deny` is set. */
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
