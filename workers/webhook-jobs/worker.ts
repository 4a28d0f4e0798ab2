/**
 * Carries out replays, back-fills and redeliveries piece by piece. A job is a document and a row of the due-time store,
 * so another process continues it after a crash; the ids of its deliveries derive from it, so a repeated piece makes
 * none twice.
 *
 * Live deliveries do not wait behind it: the deliveries of a piece become due at the job's pace, and the next piece is
 * made only once the endpoint has nothing overdue.
 */
import type { App } from '../../application/app.js';
import { createPlaces } from '../../application/history/place.js';
import { endJob, WEBHOOK_JOBS } from '../../application/webhooks/jobs.js';
import { NotYet, StoreUnavailable } from '../../ports/event-store.js';
import type { StoredDocument } from '../../ports/read-models.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import { webhookHealth, type WebhookHealthDoc } from '../../read-models/webhook-health.js';
import { webhookJobs, type WebhookJobDoc } from '../../read-models/webhook-jobs.js';
import { handled, type Outcome } from '../kernel/consumer.js';
import { startJobs, waitBefore } from '../kernel/jobs.js';
import { DELIVERY_QUEUE, nextVersion } from '../webhooks/documents.js';
import type { EndpointDirectory } from '../webhooks/endpoints.js';
import type { NewDelivery } from '../webhooks/enqueue.js';
import { nothing, OutOfHorizon, type Piece } from './piece.js';
import { redeliverPiece, type RedeliverDeps } from './redeliver.js';
import { replayPiece, type ReplayJobDeps } from './replay.js';
import type { EnvelopeDeps } from '../event-feed/book.js';

export interface WebhookJobNeeds {
  readonly endpoints: Pick<EndpointDirectory, 'get'>;
  readonly enqueue: (deliveries: readonly NewDelivery[]) => Promise<void>;
}

/** Long enough for a piece, and for a search of the range's beginning in a long history. */
const LEASE_MS = 120_000;
/** A piece lasts about this long at the job's pace. */
const PIECE_SECONDS = 5;
const MOST_AT_ONCE = 200;
/** With more overdue deliveries than this the endpoint is behind, and the job waits. */
const OVERDUE = 10;
const LOOK_AGAIN_MS = 1_000;
const PAUSED_MS = 15_000;
const MAX_FAILURES = 10;
/** Pauses between tries of a failing endpoint, as those of its breaker. */
const PROBE_PAUSES_MS = [5_000, 10_000, 20_000, 40_000, 60_000];
/** Deliveries looked at in one turn to find one to try with. */
const PROBE_STEPS = 100;

export function startWebhookJobs(
  app: EnvelopeDeps & Pick<App, 'codec' | 'deliveriesNearAfter' | 'dueTimes' | 'logger' | 'settings'>,
  needs: WebhookJobNeeds,
): { stop(): Promise<void> } {
  const { readModels, dueTimes, clock, logger } = app;
  const places = createPlaces(app.store);

  async function handle({ job_uuid }: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const stored = await readModels.get(webhookJobs.name, String(job_uuid));
    if (stored?.doc.status !== 'running') return handled;
    try {
      return await carryOn(stored);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      if (error instanceof OutOfHorizon) return fail(stored.doc, 'out_of_horizon');
      const failures = stored.doc.failures + 1;
      logger.error({ err: error, job_uuid, failures }, 'a webhook replay failed');
      if (failures >= MAX_FAILURES) return fail(stored.doc, 'internal_error');
      await write(stored, { failures });
      return later(waitBefore(failures + 1), 'it failed');
    }
  }

  async function carryOn(stored: StoredDocument<WebhookJobDoc>): Promise<Outcome> {
    const { doc } = stored;
    const endpoint = await needs.endpoints.get(doc.endpoint_uuid, doc.integration_uuid);
    if (endpoint === null) return fail(doc, 'endpoint_removed');
    const row = (await readModels.get(webhookEndpoints.name, doc.endpoint_uuid))?.doc;
    if (!row) throw new NotYet('the read model webhook_endpoints does not show the endpoint yet');
    if (!doc.dry_run) {
      if (!endpoint.enabled) return wait(stored, 'endpoint_enabled', PAUSED_MS);
    }
    const turn = doc.dry_run ? 'full' : turnOf(doc, await healthOf(doc), clock.now());
    if (turn === 'wait' || (!doc.dry_run && (await isBehind(doc.endpoint_uuid))))
      return wait(stored, 'endpoint_answers', LOOK_AGAIN_MS);
    if (turn === 'probe') return probe(stored, row);
    const limit = doc.dry_run
      ? MOST_AT_ONCE
      : Math.min(MOST_AT_ONCE, Math.max(1, Math.ceil(doc.per_second * PIECE_SECONDS)));
    const piece = await pieceOf(doc, row, limit);
    await write(stored, { ...progress(doc, piece), probe: null });
    if (piece.done) return handled;
    const made = doc.dry_run ? 0 : deliveriesOf(piece);
    return later(Math.ceil((made * 1000) / doc.per_second), 'more follows');
  }

  /** One delivery, to find out whether the endpoint takes deliveries again: each try costs an attempt. */
  async function probe(stored: StoredDocument<WebhookJobDoc>, row: WebhookEndpointDoc): Promise<Outcome> {
    let { doc } = stored;
    for (let step = 0; step < PROBE_STEPS; step += 1) {
      const piece = await pieceOf(doc, row, 1);
      doc = { ...doc, ...progress(doc, piece) };
      if (piece.done) {
        await write(stored, doc);
        return handled;
      }
      if (deliveriesOf(piece) === 0) continue;
      const at = new Date(clock.now()).toISOString();
      const number = (doc.probe?.number ?? 0) + 1;
      await write(stored, {
        ...doc,
        probe: { at, number },
        tried: doc.tried || number > 1,
        waits_for: 'endpoint_answers',
      });
      return later(LOOK_AGAIN_MS, 'it waits for endpoint_answers');
    }
    await write(stored, doc);
    return later(0, 'more follows');
  }

  function pieceOf(doc: WebhookJobDoc, row: WebhookEndpointDoc, limit: number): Promise<Piece> {
    const deps: ReplayJobDeps & RedeliverDeps = { app, places, enqueue: needs.enqueue };
    return doc.kind === 'redeliver_failed'
      ? redeliverPiece(deps, doc, limit)
      : replayPiece(deps, doc, row, limit);
  }

  function progress(doc: WebhookJobDoc, { done, ...piece }: Piece): Partial<WebhookJobDoc> {
    const { first_time, again, under_way, left_out, ...reached } = { ...nothing, ...piece };
    const at = new Date(clock.now()).toISOString();
    return {
      ...reached,
      first_time: doc.first_time + first_time,
      again: doc.again + again,
      under_way: doc.under_way + under_way,
      left_out: doc.left_out + left_out,
      waits_for: null,
      failures: 0,
      ...(done ? { status: 'done', finished_at: at, part: 1 } : {}),
    };
  }

  const healthOf = async ({ endpoint_uuid }: WebhookJobDoc): Promise<WebhookHealthDoc | undefined> =>
    (await readModels.get(webhookHealth.name, endpoint_uuid))?.doc;

  async function isBehind(endpointUuid: string): Promise<boolean> {
    return (await dueTimes.count(DELIVERY_QUEUE, endpointUuid, clock.now())) > OVERDUE;
  }

  async function wait(
    stored: StoredDocument<WebhookJobDoc>,
    waits_for: WebhookJobDoc['waits_for'],
    delayMs: number,
  ): Promise<Outcome> {
    if (stored.doc.waits_for !== waits_for) await write(stored, { waits_for });
    return later(delayMs, `it waits for ${waits_for}`);
  }

  /** Without effect when the job was cancelled since it was read. */
  async function write(
    { id, doc, version }: StoredDocument<WebhookJobDoc>,
    change: Partial<WebhookJobDoc>,
  ): Promise<void> {
    const updated_at = new Date(clock.now()).toISOString();
    await readModels.write(webhookJobs.name, [
      { id, doc: { ...doc, ...change, updated_at }, version: nextVersion(version) },
    ]);
  }

  async function fail({ uuid }: WebhookJobDoc, reason: string): Promise<Outcome> {
    await endJob(app, uuid, { status: 'failed', reason });
    return handled;
  }

  const jobs = startJobs(app, {
    queue: WEBHOOK_JOBS,
    concurrency: 4,
    perLane: 1,
    leaseMs: LEASE_MS,
    // Failures are counted in the document: a long job has many pieces.
    maxTries: Infinity,
    giveUp: () => Promise.resolve(),
    handle,
  });
  return { stop: () => jobs.stop() };
}

/**
 * A failing endpoint gets one delivery now and then, until one of them succeeds: deliveries that are brought forward to a
 * dead endpoint would lose their attempts.
 */
function turnOf(
  { probe }: Pick<WebhookJobDoc, 'probe'>,
  health: WebhookHealthDoc | undefined,
  now: number,
): 'full' | 'probe' | 'wait' {
  if (!health?.failing) return 'full';
  if (health.resting_until !== null && Date.parse(health.resting_until) > now) return 'wait';
  if (probe === null) return 'probe';
  if (health.last_success_at !== null && health.last_success_at >= probe.at) return 'full';
  const pause = PROBE_PAUSES_MS[Math.min(probe.number, PROBE_PAUSES_MS.length) - 1] ?? 0;
  return now - Date.parse(probe.at) >= pause ? 'probe' : 'wait';
}

const deliveriesOf = ({ first_time, again }: Piece): number => first_time + again;

const later = (delayMs: number, reason: string): Outcome => ({ kind: 'later', delayMs, reason });
