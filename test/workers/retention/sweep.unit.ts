/** Old documents that are removed, in which order and steps, and when the rows of removed documents are forgotten. */
import { expect } from 'chai';
import type { Document, Find } from '../../../ports/read-models.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { deliveryAttempts } from '../../../read-models/delivery-attempts.js';
import { heldWork } from '../../../read-models/held-work.js';
import { parkedMessages } from '../../../read-models/parked-messages.js';
import { webhookHealth } from '../../../read-models/webhook-health.js';
import { webhookJobs } from '../../../read-models/webhook-jobs.js';
import { repeatedDays, startRetention, sweep } from '../../../workers/retention/sweep.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

const DAY_MS = 86_400_000;
const DAYS = { deliveryLog: 30, parkedMessages: 90, removed: 20 };
const NOTHING = { deliveries: 0, delivery_attempts: 0, event_envelopes: 0, parked_messages: 0, forgotten: 0 };
/** More pages than any of these tests needs: an endless sweep fails. */
const MOST_PAGES = 200;
const INDEXES = new Map<string, Readonly<Record<string, readonly string[]>>>(
  [deliveries, deliveryAttempts, parkedMessages, webhookHealth, webhookJobs].map(
    ({ name, indexes }) => [name, indexes] as const,
  ),
);

function world() {
  const clock = manualClock();
  let writing: () => void = () => undefined;
  const stored = memoryReadModels((step) => void (step === 'write' && writing()));
  /** Pages that were requested, and calls to forget rows, by collection. */
  const pages: string[] = [];
  const forgetting: { collection: string; now: number; notedBefore: number; limit: number }[] = [];
  /** Rows of removed documents that are old enough to forget, by collection. */
  const rows = new Map<string, number>();
  const logged: unknown[] = [];
  const readModels = {
    ...stored,
    async find<T>(collection: string, { index, equals, after, order, limit }: Find) {
      pages.push(collection);
      if (pages.length > MOST_PAGES) throw new Error('the pages do not end');
      expect(order).to.equal('asc');
      const fields = INDEXES.get(collection)![index]!;
      const keyOf = (doc: Document) => fields.slice(equals.length).map((field) => String(doc[field]));
      const all = [...stored.all(collection).values()]
        .filter(({ doc }) => equals.every((value, n) => doc[fields[n]!] === value))
        .map((one) => ({ ...one, key: [...keyOf(one.doc), one.id].join('|') }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .filter(({ key }) => after === undefined || key > String(after[0]));
      const documents = all.slice(0, limit);
      return {
        documents: documents as unknown as { id: string; doc: T; version: string }[],
        next: all.length > limit ? [documents.at(-1)!.key] : null,
      };
    },
    async forgetRemoved(collection: string, slice: { now: number; notedBefore: number; limit: number }) {
      forgetting.push({ collection, ...slice });
      if (forgetting.length > MOST_PAGES) throw new Error('the rows do not end');
      const left = rows.get(collection) ?? 0;
      const forgotten = Math.min(left, slice.limit);
      rows.set(collection, left - forgotten);
      return { forgotten, more: left > slice.limit };
    },
  };
  const app = {
    clock,
    readModels,
    logger: {
      debug: () => undefined,
      info: (fields: unknown) => void logged.push(fields),
      warn: () => undefined,
      error: (fields: unknown) => void logged.push(fields),
    },
  };
  const daysAgo = (days: number) => new Date(clock.now() - days * DAY_MS).toISOString();
  const put = (collection: string, id: string, doc: Document, version: string) =>
    stored.write(collection, [{ id, doc, version }]);
  return {
    app,
    clock,
    pages,
    forgetting,
    rows,
    logged,
    put,
    daysAgo,
    beforeWrite: (told: () => void) => void (writing = told),
    async delivery(id: string, status: string, days: number, attempts = 1): Promise<void> {
      await put('deliveries', id, { status, created_at: daysAgo(days) }, '0000000009');
      for (let n = 1; n <= attempts; n += 1) {
        const number = String(n).padStart(4, '0');
        await put('delivery_attempts', `${id}:${number}`, { delivery_id: id, number }, '0000000001');
      }
    },
    parked: (id: string, days: number) =>
      put('parked_messages', id, { parked_at: daysAgo(days) }, daysAgo(days)),
    left: (collection: string) => [...stored.all(collection).keys()],
    /** Writes a document of this version; returns whether it shows again. */
    async comesBack(collection: string, id: string, version: string): Promise<boolean> {
      await put(collection, id, {}, version);
      return stored.all(collection).has(id);
    },
  };
}

describe('the delivery log that is kept for a time', () => {
  it('loses deliveries that have ended before that, with their attempts, and no other', async () => {
    const w = world();
    for (const status of ['delivered', 'failed', 'cancelled', 'pending']) {
      await w.delivery(`old ${status}`, status, 30.001, 2);
      await w.delivery(`young ${status}`, status, 30);
    }
    expect(await sweep(w.app, DAYS)).to.deep.equal({ ...NOTHING, deliveries: 3, delivery_attempts: 6 });
    expect(w.left('deliveries')).to.have.members([
      'old pending',
      'young delivered',
      'young failed',
      'young cancelled',
      'young pending',
    ]);
    expect(w.left('delivery_attempts')).to.have.length(6);
    expect(await sweep(w.app, DAYS)).to.deep.equal(NOTHING);
  });

  it('loses all of them in one round, page by page, however many attempts each has', async () => {
    const w = world();
    for (let n = 0; n < 120; n += 1) await w.delivery(`d${n}`, 'delivered', 40, n === 0 ? 100 : 1);
    await w.delivery('young', 'delivered', 1);
    expect(await sweep(w.app, DAYS)).to.include({ deliveries: 120, delivery_attempts: 219 });
    expect(w.left('deliveries')).to.deep.equal(['young']);
    expect(w.left('delivery_attempts')).to.deep.equal(['young:0001']);
  });

  it('is read only as far as it is old', async () => {
    const w = world();
    for (let n = 0; n < 120; n += 1) await w.delivery(`d${n}`, 'delivered', n === 0 ? 40 : 1);
    await sweep(w.app, DAYS);
    // One page for each final status.
    expect(w.pages.filter((collection) => collection === 'deliveries')).to.have.length(3);
  });

  it('does not show again what is told once more, and a later version of it does', async () => {
    const w = world();
    await w.delivery('d1', 'delivered', 40);
    await sweep(w.app, DAYS);
    for (const [collection, id, removed] of [
      ['deliveries', 'd1', '0000000010'],
      ['delivery_attempts', 'd1:0001', '0000000002'],
    ] as const) {
      expect(await w.comesBack(collection, id, removed), collection).to.equal(false);
      expect(await w.comesBack(collection, id, `${removed}1`)).to.equal(true);
    }
  });

  it('keeps what a restore holds: released, it is still to be delivered', async () => {
    const w = world();
    // More of them than one page holds, followed by others.
    const held = Array.from({ length: 60 }, (_, n) => `held ${n}`);
    for (const id of held) {
      await w.delivery(id, 'failed', 50);
      await w.put(heldWork.name, id, {}, '1');
    }
    await w.delivery('other', 'failed', 40);
    expect(await sweep(w.app, DAYS)).to.include({ deliveries: 1, delivery_attempts: 1 });
    expect(w.left('deliveries')).to.deep.equal(held);
    expect(w.left('delivery_attempts')).to.have.length(60);
    expect(w.pages.filter((collection) => collection === 'deliveries')).to.have.length(4);
  });

  it('is left between two deliveries when the process stops', async () => {
    const w = world();
    for (let n = 0; n < 3; n += 1) await w.delivery(`d${n}`, 'delivered', 40);
    await w.parked('p', 100);
    const stopping = () => w.left('deliveries').length < 3;
    expect(await sweep(w.app, DAYS, stopping)).to.deep.equal({
      ...NOTHING,
      deliveries: 1,
      delivery_attempts: 1,
      event_envelopes: 0,
    });
    expect(w.left('parked_messages')).to.deep.equal(['p']);
    expect(w.forgetting).to.deep.equal([]);
  });
});

describe('records about webhook endpoints', () => {
  it('are kept of jobs for the days of the delivery log, and of running ones always', async () => {
    const w = world();
    for (const status of ['done', 'cancelled', 'failed', 'running']) {
      await w.put('webhook_jobs', `old ${status}`, { status, created_at: w.daysAgo(30.001) }, '0000000004');
      await w.put('webhook_jobs', `young ${status}`, { status, created_at: w.daysAgo(30) }, '0000000004');
    }
    await sweep(w.app, DAYS);
    expect(w.left('webhook_jobs')).to.have.members([
      'old running',
      'young done',
      'young cancelled',
      'young failed',
      'young running',
    ]);
    // A progress written late does not bring it back.
    expect(await w.comesBack('webhook_jobs', 'old done', '0000000005')).to.equal(false);
  });

  it('are kept of the health of endpoints that exist, however old', async () => {
    const w = world();
    await w.put('webhook_endpoints', 'there', {}, '0000000001');
    for (const [id, failing] of [
      ['there', 1],
      ['failing, removed', 1],
      ['good, removed', 0],
    ] as const) {
      await w.put('webhook_health', id, { failing, failing_since: null }, '0000000001');
    }
    await sweep(w.app, DAYS);
    expect(w.left('webhook_health')).to.deep.equal(['there']);
  });
});

describe('parked work that is kept for a time', () => {
  it('is removed by an age of its own, all of it in one round', async () => {
    const w = world();
    for (let n = 0; n < 60; n += 1) await w.parked(`old ${n}`, 90.001);
    await w.parked('young', 90);
    expect(await sweep(w.app, DAYS)).to.deep.equal({ ...NOTHING, parked_messages: 60 });
    expect(w.left('parked_messages')).to.deep.equal(['young']);
  });

  it('does not show again under the time at which it was parked, and may be parked anew', async () => {
    const w = world();
    const before = w.daysAgo(100);
    await w.parked('p', 100);
    await sweep(w.app, DAYS);
    expect(await w.comesBack('parked_messages', 'p', before)).to.equal(false);
    expect(await w.comesBack('parked_messages', 'p', new Date(w.clock.now() + 1).toISOString())).to.equal(
      true,
    );
  });
});

describe('rows of what was removed', () => {
  it('are forgotten after their days, in steps, until there are no more', async () => {
    const w = world();
    w.rows.set('deliveries', 450).set('held_work', 1);
    expect((await sweep(w.app, DAYS)).forgotten).to.equal(451);
    expect(w.forgetting.map(({ collection }) => collection)).to.deep.equal([
      'deliveries',
      'deliveries',
      'deliveries',
      'delivery_attempts',
      'event_envelopes',
      'event_gaps',
      'parked_messages',
      'held_work',
      'webhook_health',
      'webhook_jobs',
      'image_uploads',
    ]);
    const now = w.clock.now();
    for (const { collection: _, ...slice } of w.forgetting) {
      expect(slice).to.deep.equal({ now, notedBefore: now - 20 * DAY_MS, limit: 200 });
    }
  });

  it('are known for a month at least, and for twice the longest pause between two publications', () => {
    expect(repeatedDays(1)).to.equal(30);
    expect(repeatedDays(15 * DAY_MS)).to.equal(30);
    expect(repeatedDays(15 * DAY_MS + 1)).to.equal(31);
  });
});

describe('rounds of retention', () => {
  it('come every hour, and are logged where they removed something', async () => {
    const w = world();
    const rounds = startRetention(w.app, DAYS);
    await w.delivery('d1', 'delivered', 40);
    await w.clock.advance(3_600_000 - 1);
    expect(w.left('deliveries')).to.deep.equal(['d1']);
    await w.clock.advance(1);
    expect(w.left('deliveries')).to.deep.equal([]);
    expect(w.logged).to.deep.equal([{ ...NOTHING, deliveries: 1, delivery_attempts: 1 }]);
    await w.clock.advance(3_600_000);
    expect(w.logged).to.have.length(1);
    await rounds.stop();
    expect(w.clock.pending()).to.equal(0);
  });

  it('end in the middle when the process stops', async () => {
    const w = world();
    const rounds = startRetention(w.app, DAYS);
    for (let n = 0; n < 3; n += 1) await w.delivery(`d${n}`, 'delivered', 40);
    w.beforeWrite(() => void rounds.stop());
    await w.clock.advance(3_600_000);
    expect(w.left('deliveries')).to.have.length(2);
    await rounds.stop();
  });
});
