/**
 * Processes one slice of a lane, in the process that holds the lane. Webhooks are processed in order of arrival and
 * their updates in parallel, except that updates of one person are applied in order. A large webhook takes several
 * slices, and other webhooks are processed in between.
 */
import type { App } from '../../application/app.js';
import { messageName } from '../../application/relay.js';
import { retryRow } from '../../application/parked-messages.js';
import { asItWas, type ClaimedEntry, type DueEntry, type Settlement } from '../../ports/due-times.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { ReadModelBehind } from '../../ports/read-models.js';
import { claimPage } from '../lanes/claim-page.js';
import { applyOne, INBOUND, parkUpdate, waitBefore } from './apply-one.js';
import { INBOUND_UPDATES } from './hand-on.js';
import { peopleOf, type PeopleInOrder } from './people-in-order.js';
import { openWebhook, type OpenedWebhook, type PlacedUpdate, type UpdatePointer } from './webhook.js';
import type { InboundDeps } from './apply.js';

/** Short, because only the process that holds the lane claims its rows. */
const ROW_LEASE_MS = 1_000;
/** Fewest updates taken of one webhook while others wait behind it. */
const SMALLEST_SHARE = 10;
/** Bodies in memory at once; Meta sends up to 3 MB. */
const OPENED_AT_ONCE = 10;
const BEHIND_MS = 1_000;

export interface LaneSlice {
  /** The settlement of each claimed row. */
  readonly settlements: readonly Settlement[];
  /** True when the lane certainly still has rows, or the claim reached its limit; false when it may be empty. */
  readonly left: boolean;
  /** The error of an unavailable store that interrupted the slice. */
  readonly away: unknown;
  readonly handled: number;
}

export interface SliceDeps {
  readonly people: PeopleInOrder;
  readonly stopping: () => boolean;
}

/** The updates of one row that this slice processes. */
interface Share {
  readonly row: ClaimedEntry;
  readonly pointer: UpdatePointer;
  readonly updates: readonly PlacedUpdate[];
  /** The first update of the next slice; null when this slice takes the rest. */
  readonly next: number | null;
  readonly failed: string | null;
  readonly unreadable: string | null;
}

/** @throws StoreUnavailable when the slice could not begin */
export async function takeTurn(
  app: InboundDeps & Pick<App, 'barrier' | 'codec' | 'logger'>,
  lane: string,
  most: number,
  { people, stopping }: SliceDeps,
): Promise<LaneSlice> {
  const { clock, dueTimes } = app;
  const rows = await claimPage(app, { queue: INBOUND_UPDATES, lane, limit: most, leaseMs: ROW_LEASE_MS });
  const shares = await sharesOf(app, rows, most);
  const again: DueEntry[] = [];
  const unfinished = new Set<Share>();
  let away: unknown;

  async function one(share: Share, placed: PlacedUpdate): Promise<void> {
    const value = { ...share.pointer, index: placed.index };
    const later = (delayMs: number, tries: number): void =>
      void again.push(retryRow(INBOUND, messageName(value), value, clock.now() + delayMs, tries));
    try {
      const result = await applyOne(app, share.pointer, placed, 1);
      if (typeof result === 'object') later(waitBefore(2), 1);
    } catch (error) {
      // A read model that is being built delays only the updates that need it.
      if (error instanceof ReadModelBehind) later(BEHIND_MS, 0);
      else if (error instanceof StoreUnavailable) throw error;
      else later(waitBefore(2), 1);
    }
  }

  async function whole({ pointer, failed, unreadable }: Share): Promise<void> {
    if (unreadable !== null)
      await parkUpdate(app, pointer, { index: 0, kind: 'unreadable', reason: unreadable });
    if (failed !== null)
      again.push(retryRow(INBOUND, messageName(pointer), pointer, clock.now() + waitBefore(2), 1));
  }

  async function unlessAway(share: Share, work: () => Promise<void>): Promise<void> {
    if (away !== undefined || stopping()) return void unfinished.add(share);
    try {
      await work();
    } catch (error) {
      away ??= error;
      unfinished.add(share);
    }
  }

  const all = shares.flatMap((share) => share.updates.map((placed) => ({ share, placed })));
  const places = people.place(all.map(({ placed }) => placed.update));
  await Promise.all([
    ...shares.map((share) => unlessAway(share, () => whole(share))),
    ...all.map(async ({ share, placed }, n) => {
      await places.turn(n);
      await unlessAway(share, () => one(share, placed));
      places.leave(n);
    }),
  ]);
  if (again.length > 0) await dueTimes.schedule(again);
  const taken = new Map(shares.map((share) => [share.row, share]));
  const settlements = rows.map((row): Settlement => {
    const share = taken.get(row);
    if (share === undefined || unfinished.has(share)) return asItWas(row);
    const { queue, id, fence, dueAt } = row;
    if (share.next === null) return { queue, id, fence, then: 'done' };
    return {
      queue,
      id,
      fence,
      then: 'again',
      dueAt,
      payload: { value: { ...share.pointer, from: share.next } },
    };
  });
  return {
    settlements,
    left: rows.length === most || settlements.some(({ then }) => then === 'again'),
    away,
    handled: settlements.filter(({ then }) => then === 'done').length,
  };
}

/**
 * Fills the slice with a few updates of each webhook, so that a person behind a large webhook need not wait for all of
 * it. Takes no update about a person who has an earlier update left.
 */
async function sharesOf(
  app: Pick<App, 'codec' | 'store'>,
  rows: readonly ClaimedEntry[],
  most: number,
): Promise<readonly Share[]> {
  const inOrder = rows
    .map((row) => ({ row, pointer: row.payload['value'] as UpdatePointer }))
    .sort((a, b) => (a.pointer.position < b.pointer.position ? -1 : 1));
  const mostOfOne = Math.max(SMALLEST_SHARE, Math.floor(most / rows.length));
  const left = new Set<string>();
  const shares: Share[] = [];
  let room = most;
  for (let at = 0; at < inOrder.length && room > 0; at += OPENED_AT_ONCE) {
    const some = inOrder.slice(at, at + OPENED_AT_ONCE);
    const opened = some.map(async (one) => ({ ...one, webhook: await openOrSay(app, one.pointer) }));
    for (const { row, pointer, webhook } of await Promise.all(opened)) {
      const { updates, ...rest } = webhook;
      const end = endOfShare(updates, Math.min(room, mostOfOne), left);
      for (const { update } of updates.slice(end)) for (const person of peopleOf(update)) left.add(person);
      room -= updates.slice(0, end).reduce((sum, placed) => sum + weightOf(placed), 0);
      shares.push({
        row,
        pointer,
        ...rest,
        updates: updates.slice(0, end),
        next: updates[end]?.index ?? null,
      });
    }
  }
  return shares;
}

/** @param left people whose earlier updates are left for the next slice */
function endOfShare(updates: readonly PlacedUpdate[], most: number, left: ReadonlySet<string>): number {
  let [end, room] = [0, most];
  for (const placed of updates) {
    if (room <= 0 || peopleOf(placed.update).some((person) => left.has(person))) break;
    room -= weightOf(placed);
    end += 1;
  }
  return end;
}

const weightOf = ({ update }: PlacedUpdate): number =>
  update.kind === 'history' ? Math.max(1, update.messages.length) : 1;

async function openOrSay(
  app: Pick<App, 'codec' | 'store'>,
  pointer: UpdatePointer,
): Promise<OpenedWebhook & { readonly failed: string | null }> {
  try {
    const opened = (await openWebhook(app, pointer)) ?? { updates: [], unreadable: null };
    return { ...opened, failed: null };
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return { updates: [], unreadable: null, failed: error instanceof Error ? error.message : String(error) };
  }
}
