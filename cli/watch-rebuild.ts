/** Follows a projection job to its end: a bar for people, a line of JSON for each poll for programs. */
import { maybe, number, part, parts } from './answer.js';
import { pause } from '../ports/waiting.js';
import type { Resource } from './client.js';
import { EXIT, Failure } from './failure.js';
import type { Column } from './output.js';
import type { Show } from './readable.js';
import { progressBar } from './progress-bar.js';
import { path, type Session } from './session.js';

const EVERY_MS = 500;
const ENDS = new Set(['done', 'cancelled', 'failed']);

const COLUMNS: readonly Column[] = [
  ['PROJECTION', 'name'],
  ['GENERATION', 'generation'],
  ['STATE', 'state'],
  ['ROWS', ({ verification }) => of(verification, 'rows_new')],
  ['COMPARED', ({ verification }) => of(verification, 'compared')],
  ['DIFFERENT', ({ verification }) => of(verification, 'different')],
  ['UNREADABLE', ({ verification }) => of(verification, 'unreadable')],
  ['ERROR', 'error'],
];
const DIFFERENCE_COLUMNS: readonly Column[] = [
  ['PROJECTION', 'projection'],
  ['DOCUMENT', 'id'],
  ['WHERE', 'pointer'],
  ['OLD', 'old'],
  ['NEW', 'new'],
];

const of = (verification: unknown, field: string): unknown => maybe(verification, part)?.[field];

/**
 * @param wanted the final status that counts as success
 * @throws Failure when the job ends otherwise, or waits for an operator because something differs
 */
export async function followRebuild(
  { client, out, io, say }: Session,
  order: Resource,
  wanted: 'done' | 'cancelled' = 'done',
): Promise<void> {
  const { show } = out;
  const bar = progressBar(io);
  const uuid = String(order['uuid']);
  let last = order;
  // The response to accept or cancel has the job's earlier status, so one "differs" is not enough to stop.
  let differing = 0;
  for (;;) {
    if (out.json) out.line(last, '');
    const status = String(last['status']);
    differing = status === 'differs' ? differing + 1 : 0;
    if (ENDS.has(status) || differing > 2) break;
    const progress = part(last['progress']);
    bar.show(Math.floor(number(progress['part']) * 100), 100, describe(show, status, progress));
    await pause(io.clock, EVERY_MS);
    last = await client.get(`/projections/rebuilds/${path(uuid)}`);
  }
  bar.clear();
  const projections = parts(last['projections']);
  if (!out.json) {
    out.list(projections, COLUMNS);
    const differences = projections.flatMap(({ name, verification }) =>
      (maybe(of(verification, 'differences'), parts) ?? []).map((one) => ({
        projection: name,
        ...one,
      })),
    );
    if (differences.length > 0) {
      io.stdout.write('\n');
      out.list(differences, DIFFERENCE_COLUMNS);
    }
  }
  const status = String(last['status']);
  if (status === 'differs') {
    throw new Failure(
      EXIT.refused,
      'What was built differs from what is live, so nothing was flipped where it does.',
      `Flip all the same with "recado projections accept ${uuid}", or give it up with "recado projections cancel ${uuid}".`,
    );
  }
  const stopped = projections.find(({ state }) => state === 'failed');
  if (status !== wanted || stopped) {
    throw new Failure(
      EXIT.failed,
      `The ${show(last['kind'])} ended as ${status}${last['error'] ? `: ${show(last['error'])}` : '.'}`,
      stopped ? `See "recado projections status ${show(stopped['name'])}".` : undefined,
    );
  }
  say(`The ${show(last['kind'])} is ${status}.`);
}

function describe(show: Show, status: string, progress: Resource): string {
  const { events_per_second: rate, seconds_left: left } = progress;
  if (status !== 'building') return status;
  return `${show(rate)} events/s${left === null ? '' : `, ${show(left)} s left`}`;
}
