/** Follows the live events of an integration, over every break of the connection. */
import { pause } from '../../ports/waiting.js';
import { EXIT, Failure } from '../failure.js';
import type { KeySession } from '../session.js';
import { readEnvelope, type Envelope } from './envelope.js';
import { readEvents } from './sse.js';

/** The server shows every 15 seconds that it lives. */
const LONGEST_SILENCE_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

export interface Following {
  /** Comma-separated; undefined: all. */
  readonly types: string | undefined;
  /** Sequence of an event; undefined: from now on. */
  readonly after: string | undefined;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Each time that a connection is there. */
  readonly onOpen: () => void;
  /** The next event is read when it has resolved. */
  readonly onEvent: (envelope: Envelope) => Promise<void> | void;
}

/** Resolves when the signal ends it. @throws Failure when the server refuses */
export async function followFeed(session: KeySession, following: Following): Promise<void> {
  const { clock } = session.io;
  const { signal } = following;
  let last = following.after;
  let firstPause = FIRST_PAUSE_MS;
  let failures = 0;

  const asides = {
    onRetry: (ms: number) => void (firstPause = ms),
    onPlace: (id: string) => void (last = id),
  };

  while (!signal.aborted) {
    const begun = clock.monotonic();
    let why = 'The server ended the connection.';
    try {
      const chunks = alive(session, following, last);
      for await (const event of readEvents(chunks, asides)) {
        failures = 0;
        await following.onEvent(readEnvelope(event));
        last = event.id;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Failure) || error.exitCode !== EXIT.unreachable) throw error;
      why = error.message;
    }
    if (signal.aborted) return;
    if (clock.monotonic() - begun > LONGEST_PAUSE_MS) failures = 0;
    const wait = Math.min(LONGEST_PAUSE_MS, firstPause * 2 ** failures);
    session.say(`${why} Connecting again in ${(wait / 1000).toFixed(1)} s, after the last event.`);
    failures += 1;
    await Promise.race([pause(clock, wait), aborted(signal)]);
  }
}

/** One connection, which ends when nothing is heard for too long. */
async function* alive(
  { client, io: { clock } }: KeySession,
  { types, signal, onOpen }: Following,
  last: string | undefined,
): AsyncGenerator<Uint8Array> {
  const silence = new AbortController();
  const tooQuiet = (): void =>
    silence.abort(new Failure(EXIT.unreachable, 'Nothing was heard of the server for a minute.'));
  let callOff = clock.after(LONGEST_SILENCE_MS, tooQuiet);
  const headers = {
    accept: 'text/event-stream',
    ...(last === undefined ? {} : { 'last-event-id': last }),
  };
  const options = { headers, onOpen, signal: AbortSignal.any([signal, silence.signal]) };
  try {
    for await (const chunk of client.stream('/events/stream', { types }, options)) {
      callOff();
      callOff = clock.after(LONGEST_SILENCE_MS, tooQuiet);
      yield chunk;
    }
  } finally {
    callOff();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
