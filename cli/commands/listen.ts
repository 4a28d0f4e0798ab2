import { Command } from 'commander';
import { EXIT, Failure, usage } from '../failure.js';
import { createForwarder, type Attempt, type Outcome } from '../feed/forward.js';
import { followFeed } from '../feed/follow.js';
import { readKeys } from '../feed/keys.js';
import { listenSecret } from '../feed/listen-secret.js';
import type { Io } from '../io.js';
import { actOffline, examples, openKeySession, type GlobalOptions } from '../session.js';

interface ListenOptions {
  readonly forward?: string;
  readonly types?: string;
  readonly printSecret?: boolean;
}

export const listen = (io: Io): Command =>
  examples(
    new Command('listen')
      .description("forward your integration's live events to a receiver on this machine, by RECADO_API_KEY")
      .option('--forward <url>', 'where to post them, such as http://localhost:3000/hooks')
      .option('--types <list>', 'only these event types, comma-separated (default: all)')
      .option('--print-secret', 'print the secret that the posts are signed with, and end'),
    'listen --forward http://localhost:3000/hooks',
    'listen --forward localhost:3000/hooks --types message.received,order.created --json',
    'listen --print-secret > webhook-secret.txt',
  ).action(
    actOffline<ListenOptions>(io, async ({ out }, options) => {
      const secret = listenSecret(io);
      if (options.printSecret) return out.json ? out.one({ secret }) : void io.stdout.write(`${secret}\n`);
      if (options.forward === undefined) {
        throw usage('Name a receiver with --forward.', 'To see the events only, use "recado feed tail".');
      }
      await forwardAll(io, options, receiverOf(options.forward), secret);
    }),
  );

async function forwardAll(
  io: Io,
  options: ListenOptions & GlobalOptions,
  target: URL,
  secret: string,
): Promise<void> {
  const session = openKeySession(io, options);
  const { out, say } = session;
  const ending = new AbortController();
  let interrupted = false;
  const forwarder = createForwarder({
    clock: io.clock,
    target,
    secret,
    onAttempt: (attempt) => void (out.json || io.stdout.write(`${began(attempt)}\n`)),
    onOutcome: (attempt, outcome) => out.line(recordOf(attempt, outcome, target), ended(attempt, outcome)),
  });
  const now = (): string => out.show(new Date(io.clock.now()).toISOString());
  const began = ({ envelope: { type, id } }: Attempt): string =>
    `${now()} --> ${out.show(type)}  ${out.show(id)}`;
  const ended = ({ envelope: { id } }: Attempt, { status, error, durationMs }: Outcome): string => {
    const good = status !== null && status >= 200 && status < 300;
    return `${now()} <-- ${out.state(good ? 'ok' : 'failed')} ${status ?? error}  ${out.show(id)}  ${durationMs} ms`;
  };
  const keys = readKeys(
    io,
    (key) => {
      if (key === 'q') ending.abort();
      if (key === 'r' && !forwarder.resend()) say('There is no event yet to send again.');
    },
    () => {
      interrupted = true;
      ending.abort();
    },
  );
  say(`Posts to ${target.href} are signed with ${secret}`);
  try {
    await followFeed(session, {
      types: options.types,
      after: undefined,
      signal: ending.signal,
      onOpen: () =>
        say(keys === null ? 'Listening.' : 'Listening. Press r to send the last event again, q to quit.'),
      onEvent: (envelope) => forwarder.deliver(envelope),
    });
    await forwarder.idle();
  } finally {
    keys?.stop();
  }
  if (interrupted) throw new Failure(EXIT.interrupted, 'Interrupted.');
}

const recordOf = ({ envelope, deliveryId }: Attempt, outcome: Outcome, target: URL) => ({
  event_id: envelope.id,
  type: envelope.type,
  sequence: envelope.sequence,
  delivery_id: deliveryId,
  url: target.href,
  status: outcome.status,
  error: outcome.error,
  duration_ms: outcome.durationMs,
});

/** @throws Failure */
function receiverOf(given: string): URL {
  const text = /^https?:\/\//i.test(given) ? given : `http://${given}`;
  if (URL.canParse(text)) return new URL(text);
  throw usage(`${given} is not an address.`, 'Give one such as http://localhost:3000/hooks.');
}
