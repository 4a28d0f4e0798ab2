/** Tracks the connections of a listener, and closes the listener without losing a request that has arrived. */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { systemClock } from '../adapters/clock/system.js';
import { yieldToEventLoop } from '../ports/waiting.js';
import { PassingSet } from '../ports/passing.js';

export interface ClosingLimits {
  /** How long a keep-alive connection stays open without a request: the client's next one may be on its way. */
  readonly quietMs: number;
  /** Responses that are not finished by then are cut off. */
  readonly answerMs: number;
}

export interface Connections {
  /** Accepts no more connections, answers the requests that have arrived, then closes the remaining connections. */
  readonly close: (limits: ClosingLimits) => Promise<void>;
}

interface State {
  readonly unanswered: PassingSet<ServerResponse>;
  quietSince: number;
  /** Bytes read when the last request ended; more bytes mean that a request is arriving. */
  read: number;
  endedAt: number | null;
}

const SWEEP_EVERY_MS = 20;
/** Grace period for clients that keep their side open after ours was closed. */
const CUT_AFTER_END_MS = 250;
/** Limit of the wait: connections that never stop arriving must not keep the listener open. */
const MOST_TURNS = 1_000;

/** Must be called before the server accepts its first connection. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, State>();
  let arrived = 0;

  server.on('connection', (socket: Socket) => {
    arrived += 1;
    const quietSince = systemClock.monotonic();
    open.set(socket, { unanswered: new PassingSet(), quietSince, read: socket.bytesRead, endedAt: null });
    socket.once('close', () => open.delete(socket));
  });
  // Runs before the handler, which may answer at once.
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const state = open.get(socket);
    if (!state) return;
    state.unanswered.add(response);
    // Makes the client of a keep-alive connection send its next request elsewhere.
    if (!server.listening) response.setHeader('Connection', 'close');
    response.once('close', () => {
      state.unanswered.delete(response);
      state.quietSince = systemClock.monotonic();
      state.read = socket.bytesRead;
    });
  });

  function sweep(since: number, { quietMs }: ClosingLimits): void {
    const now = systemClock.monotonic();
    for (const [socket, state] of open) {
      if (state.endedAt !== null) {
        if (now - state.endedAt >= CUT_AFTER_END_MS) socket.destroy();
      } else if (state.unanswered.size === 0 && socket.bytesRead === state.read) {
        if (now - Math.max(since, state.quietSince) < quietMs) continue;
        state.endedAt = now;
        socket.end();
      }
    }
  }

  /** Waits for pending connections: when a listener closes, the kernel resets those that it has not accepted. */
  async function untilNoneArrives(): Promise<void> {
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      const before = arrived;
      await yieldToEventLoop();
      await yieldToEventLoop();
      if (arrived === before) return;
    }
  }

  return {
    async close(limits) {
      await untilNoneArrives();
      const since = systemClock.monotonic();
      // The `close` of `http` would cut keep-alive connections at once, even with an unread request in the kernel.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const { unanswered } of open.values()) {
        for (const response of unanswered) {
          if (!response.headersSent) response.setHeader('Connection', 'close');
        }
      }
      let cancelSweep: () => void = () => undefined;
      const sweepLater = (): void => {
        // Runs after the sockets were polled: data that has arrived is read before a connection counts as quiet.
        cancelSweep = systemClock.after(SWEEP_EVERY_MS, () =>
          setImmediate(() => {
            sweep(since, limits);
            if (open.size > 0) sweepLater();
          }),
        );
      };
      sweepLater();
      const cancelCut = systemClock.after(limits.answerMs, () => server.closeAllConnections());
      await closed;
      cancelSweep();
      cancelCut();
      // Stops the timer with which `http` checks for slow requests.
      server.close(() => undefined);
    },
  };
}
