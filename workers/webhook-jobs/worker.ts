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
import { StoreUnavailable } from '../../ports/event-store.js';
import type { StoredDocument } from '../../ports/read-models.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import { webhookHealth } from '../../read-models/webhook-health.js';
import { webhookJobs, type WebhookJobDoc } from '../../read-models/webhook-jobs.js';
import { handled, type Outcome } from '../kernel/consumer.js';
import { startJobs, waitBefore } from '../kernel/jobs.js';
import { DELIVERY_QUEUE, nextVersion } from '../webhooks/documents.js';
import type { EndpointDirectory } from '../webhooks/endpoints.js';
import type { NewDelivery } from '../webhooks/enqueue.js';
import { nothing, OutOfHorizon, type Piece } from './piece.js';
import { redeliverPiece } from './redeliver.js';
import { replayPiece } from './replay.js';

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

export function startWebhookJobs(app: App, needs: WebhookJobNeeds): { stop(): Promise<void> } {
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
    if (!row) throw new StoreUnavailable('the read model webhook_endpoints does not show the endpoint yet');
    if (!doc.dry_run) {
      if (!endpoint.enabled) return wait(stored, 'endpoint_enabled', PAUSED_MS);
      if (await isBehind(doc.endpoint_uuid)) return wait(stored, 'endpoint_answers', LOOK_AGAIN_MS);
    }
    const limit = doc.dry_run
      ? MOST_AT_ONCE
      : Math.min(MOST_AT_ONCE, Math.max(1, Math.ceil(doc.per_second * PIECE_SECONDS)));
    const deps = { app, places, enqueue: needs.enqueue };
    const piece =
      doc.kind === 'redeliver_failed'
        ? await redeliverPiece(deps, doc, limit)
        : await replayPiece(deps, doc, row, limit);
    await write(stored, progress(doc, piece));
    if (piece.done) return handled;
    const made = doc.dry_run ? 0 : piece.first_time + piece.again;
    return later(Math.ceil((made * 1000) / doc.per_second), 'more follows');
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

  async function isBehind(endpointUuid: string): Promise<boolean> {
    const health = (await readModels.get(webhookHealth.name, endpointUuid))?.doc;
    if (health?.resting_until && Date.parse(health.resting_until) > clock.now()) return true;
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

const later = (delayMs: number, reason: string): Outcome => ({ kind: 'later', delayMs, reason });
