/** The connections of a listener, and the end of a listener without the loss of a request that has arrived. */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { systemClock } from '../adapters/clock/system.js';
import { nextTurn } from '../ports/waiting.js';

export interface ClosingLimits {
  /** How long a kept connection stays open without a request: what its client has just written may be on its way. */
  readonly quietMs: number;
  /** What is not answered by then is cut. */
  readonly answerMs: number;
}

export interface Connections {
  /** Takes no more connections, answers the requests that have arrived, then ends what is still open. */
  readonly close: (limits: ClosingLimits) => Promise<void>;
}

interface State {
  readonly unanswered: Set<ServerResponse>;
  quietSince: number;
  /** Bytes read by then; more of them are a request that is arriving. */
  read: number;
  endedAt: number | null;
}

const SWEEP_EVERY_MS = 20;
/** For clients that keep their side open after ours has ended. */
const CUT_AFTER_END_MS = 250;
/** Connections that never stop coming must not keep the listener open. */
const MOST_TURNS = 1_000;

/** Before the server takes its first connection. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, State>();
  let arrived = 0;

  server.on('connection', (socket: Socket) => {
    arrived += 1;
    const quietSince = systemClock.monotonic();
    open.set(socket, { unanswered: new Set(), quietSince, read: socket.bytesRead, endedAt: null });
    socket.once('close', () => open.delete(socket));
  });
  // Before the handler: it may answer at once.
  server.prependListener('request', ({ socket }, response: ServerResponse) => {
    const state = open.get(socket);
    if (!state) return;
    state.unanswered.add(response);
    // A client on a kept connection goes elsewhere with its next request.
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

  /** The kernel resets connections that wait to be accepted when their listener closes. */
  async function untilNoneArrives(): Promise<void> {
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      const before = arrived;
      await nextTurn();
      await nextTurn();
      if (arrived === before) return;
    }
  }

  return {
    async close(limits) {
      await untilNoneArrives();
      const since = systemClock.monotonic();
      // That of `http` would cut kept connections at once, also those whose next request lies unread in the kernel.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      for (const { unanswered } of open.values()) {
        for (const response of unanswered) {
          if (!response.headersSent) response.setHeader('Connection', 'close');
        }
      }
      let cancelSweep: () => void = () => undefined;
      const sweepLater = (): void => {
        // After the sockets had their turn: what has arrived is read before a connection counts as quiet.
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
      // Ends the timer by which `http` looks for slow requests.
      server.close(() => undefined);
    },
  };
}
