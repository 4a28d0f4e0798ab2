import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import { maybe, text } from '../answer.js';
import { codeOf } from '../../ports/thrown.js';
import { Failure, unreadable, usage } from '../failure.js';
import { writeWhole } from '../files.js';
import type { Io } from '../io.js';
import { progressBar } from '../progress-bar.js';
import { fileTarget } from '../replay/file-target.js';
import { httpTarget } from '../replay/http-target.js';
import { kafkaTarget } from '../replay/kafka-target.js';
import { counted } from '../readable.js';
import { readRate, readSpeed, type Pace } from '../replay/pace.js';
import { replay } from '../replay/run.js';
import { eventsOf, type ReplayRange } from '../replay/source.js';
import type { Target } from '../replay/target.js';
import { place } from '../position.js';
import { act, examples, wholeNumber, words, type GlobalOptions, type Session } from '../session.js';
import { checkRange, checkTypes, isTime } from './events-filter.js';

interface ReplayOptions {
  readonly to: string;
  readonly from?: string;
  readonly until?: string;
  readonly types?: string;
  readonly company?: string;
  readonly rate?: number;
  readonly speed?: number;
  readonly batch: number;
  readonly attempts: number;
  readonly progress?: string;
}

/** Files get larger batches: nothing waits for a single event. */
const FILE_BATCH = 500;

export function eventsReplay(io: Io, noun: Command): void {
  examples(
    noun
      .command('replay')
      .description('send past events to an HTTP endpoint, a file or a Kafka topic, personal data masked')
      .argument('[source]', 'folder or file of an export as ndjson (default: the history of the server)')
      .requiredOption('--to <target>', 'https://…, file:PATH (file:- is stdout) or kafka://broker:9092/topic')
      .option(
        '--from <place>',
        'after this position, or from this time on (times: without a source only)',
        place,
      )
      .option('--until <place>', 'up to this position, or before this time', place)
      .option('--types <list>', 'only these event types, comma-separated')
      .option('--company <uuid>', 'only those of one company')
      .option('--rate <n/s>', 'events per second, such as 100/s', parsed(readRate, '100/s'))
      .option(
        '--speed <factor>',
        'the tempo in which they happened, times this: 10x',
        parsed(readSpeed, '10x'),
      )
      .option('--batch <n>', 'events in each request, as lines of JSON', wholeNumber(1, 1000), 1)
      .option('--attempts <n>', 'attempts for each request', wholeNumber(1, 100), 8)
      .option('--progress <file>', 'file that keeps the position; repeating the command resumes after it')
      .addHelpText(
        'after',
        '\nThe header Authorization of the requests is taken from RECADO_REPLAY_AUTHORIZATION.',
      ),
    'events replay --to https://example.com/events --from 2026-11-01 --rate 100/s --progress replay.json',
    'events replay november-ndjson --to kafka://localhost:9092/recado-events',
    'events replay november-ndjson --to http://127.0.0.1:3000/ --speed 60x --types OrderPlaced,OrderPaid',
  ).action(act<ReplayOptions>(io, replayEvents));
}

const parsed =
  (read: (text: string) => number | undefined, example: string) =>
  (text: string): number => {
    const value = read(text);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`Give something like ${example}.`);
  };

async function replayEvents(
  session: Session,
  options: ReplayOptions & GlobalOptions,
  source?: string,
): Promise<void> {
  if (options.rate !== undefined && options.speed !== undefined) {
    throw usage('--rate and --speed exclude each other.');
  }
  const key = JSON.stringify([source ?? session.client.address, options.to]);
  const before = options.progress === undefined ? null : readProgress(options.progress, key);
  const range = await rangeOf(session, source, options, before);
  const target = await openTarget(session, options);
  const bar = progressBar(session.io);
  let position = before;
  try {
    const done = await replay({
      events: eventsOf(session, source, range),
      target,
      pace: paceOf(options),
      clock: session.io.clock,
      onDelivered(now) {
        position = now.position;
        bar.show(now.events, null);
        if (options.progress !== undefined) writeWhole(options.progress, { of: key, position });
      },
    });
    bar.clear();
    session.say(
      done.events === 0
        ? `There was nothing to send to ${target.name}.`
        : `${counted(done.events, 'event')} went to ${target.name}; the last is at position ${position}.`,
    );
  } catch (error) {
    bar.clear();
    if (!(error instanceof Failure)) throw error;
    const next = [whereTo(position, options), error.next].filter((line) => line !== undefined).join(' ');
    throw error.advising(next);
  } finally {
    await target.close();
  }
}

const whereTo = (position: string | null, { progress }: ReplayOptions): string =>
  position === null
    ? 'Nothing was delivered.'
    : `Delivered up to position ${position}. Resume with ${progress === undefined ? `--from ${position}` : 'the same command'}.`;

const paceOf = ({ rate, speed }: ReplayOptions): Pace =>
  rate !== undefined
    ? { kind: 'rate', perSecond: rate }
    : speed !== undefined
      ? { kind: 'speed', factor: speed }
      : { kind: 'at_once' };

/** A time stands for a position in the history, and only the server knows which. */
async function rangeOf(
  { client }: Session,
  source: string | undefined,
  { from, until, types, company }: ReplayOptions,
  before: string | null,
): Promise<ReplayRange> {
  checkRange(from, until, '--until');
  const filter = { types: types === undefined ? null : new Set(words(types)), company: company ?? null };
  if (source !== undefined) {
    for (const end of [from, until]) {
      if (end !== undefined && isTime(end)) {
        throw usage(`${end} is a time; a source that is a file is read by positions.`);
      }
    }
    return { after: before ?? from ?? null, upTo: until ?? null, ...filter };
  }
  await checkTypes(client, types);
  const range = await client.get('/events/range', { from: before ?? from, to: until });
  return { after: maybe(range['after'], text), upTo: maybe(range['up_to'], text), ...filter };
}

async function openTarget(
  { io, say }: Session,
  { to, batch, attempts, timeout }: ReplayOptions & GlobalOptions,
): Promise<Target> {
  if (to.startsWith('kafka:')) return kafkaTarget(io, to);
  if (to.startsWith('file:')) return fileTarget(io, to.slice('file:'.length), FILE_BATCH);
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) {
    throw usage(`${to} is no target.`, 'Give https://…, file:PATH or kafka://broker:9092/topic.');
  }
  const authorization = io.env['RECADO_REPLAY_AUTHORIZATION'];
  return httpTarget({
    url: new URL(to),
    batch,
    authorization,
    timeoutMs: timeout * 1000,
    attempts,
    clock: io.clock,
    onRetry: say,
  });
}

/** Runs before the first delivery, whose position could otherwise not be saved. @throws Failure */
function mayBeMade(file: string): null {
  const folder = dirname(file);
  try {
    accessSync(folder, constants.W_OK);
    return null;
  } catch {
    throw usage(
      `${file} can't be written.`,
      `Name one with --progress in a folder that exists and may be written to: ${folder} is not.`,
    );
  }
}

/** Null when no file exists. @throws Failure when it belongs to another replay */
function readProgress(file: string, key: string): string | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return mayBeMade(file);
    throw unreadable(file, error);
  }
  let stored: { readonly of?: string; readonly position?: string };
  try {
    stored = JSON.parse(text) as typeof stored;
  } catch {
    throw usage(`${file} is not a progress file of a replay.`);
  }
  if (stored.of === key && typeof stored.position === 'string') return stored.position;
  throw usage(`${file} belongs to another replay.`, 'Name another file with --progress.');
}
