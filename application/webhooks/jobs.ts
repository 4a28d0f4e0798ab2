/** Starts, reads and cancels jobs on the deliveries of an endpoint; a worker carries them out piece by piece. */
import { Refusal } from '../../domain/kernel/refusal.js';
import type { IndexValue } from '../../ports/read-models.js';
import type { WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import { webhookJobs, type WebhookJobDoc, type WebhookJobKind } from '../../read-models/webhook-jobs.js';
import { keyReused } from '../accept-once.js';
import type { App } from '../app.js';
import { invalidField } from '../provisioning/common.js';

/** Queue of the due-time store. The lane is the endpoint's uuid, the id is the job's. */
export const WEBHOOK_JOBS = 'webhook-jobs';

export interface JobRequest {
  /** ISO 8601. */
  readonly from?: string | undefined;
  readonly from_sequence?: number | undefined;
  readonly to?: string | undefined;
  readonly to_sequence?: number | undefined;
  readonly per_second?: number | undefined;
  readonly dry_run?: boolean | undefined;
}

export interface JobOrigin {
  readonly requestedBy: string;
  /** Of a request with an Idempotency-Key: the job's uuid derives from the key. */
  readonly once?: { readonly uuid: string; readonly fingerprint: string };
}

type Deps = Pick<App, 'readModels' | 'dueTimes' | 'clock' | 'newId' | 'settings'>;
type Endpoint = Pick<WebhookEndpointDoc, 'endpoint_uuid' | 'integration_uuid' | 'company_uuid'>;

const DEFAULT_PER_SECOND = 10;
/** Jobs of one endpoint that may run at a time; they share its slots. */
const MOST_RUNNING = 3;
/** Longer than it takes to write a document. */
const DOCUMENT_BY_MS = 30_000;
const DAY_MS = 86_400_000;

/** Version of a document that counts its changes. */
const FIRST = '0000000001';
const nextVersion = (version: string): string => String(Number(version) + 1).padStart(version.length, '0');

/**
 * The row is written first and becomes due when the document exists: after a crash in between, a row without a document
 * ends by itself.
 *
 * @throws Refusal validation_failed for a range that is none; webhook_job_limit_reached; idempotency_key_reused
 */
export async function startJob(
  deps: Deps,
  kind: WebhookJobKind,
  endpoint: Endpoint,
  request: JobRequest,
  origin: JobOrigin,
): Promise<{ readonly doc: WebhookJobDoc; readonly replayed: boolean }> {
  const known = await earlierJob(deps, origin);
  if (known) return { doc: known, replayed: true };
  checkRange(deps, kind, request);
  await checkRunning(deps, endpoint.endpoint_uuid);
  const doc = newJob(deps, kind, endpoint, request, origin);
  await prepareJob(deps, doc);
  await beginJob(deps, doc.uuid);
  return { doc, replayed: false };
}

export function newJob(
  { clock, newId }: Pick<Deps, 'clock' | 'newId'>,
  kind: WebhookJobKind,
  { endpoint_uuid, integration_uuid, company_uuid }: Endpoint,
  request: JobRequest,
  { requestedBy, once }: JobOrigin,
): WebhookJobDoc {
  const at = new Date(clock.now()).toISOString();
  return {
    uuid: once?.uuid ?? newId(),
    kind,
    endpoint_uuid,
    integration_uuid,
    company_uuid,
    status: 'running',
    reason: null,
    waits_for: null,
    dry_run: request.dry_run ?? false,
    per_second: request.per_second ?? DEFAULT_PER_SECOND,
    from: inUtc(request.from),
    from_sequence: request.from_sequence ?? null,
    to: inUtc(request.to),
    to_sequence: request.to_sequence ?? null,
    start: null,
    end: null,
    position: null,
    place: null,
    part: null,
    first_time: 0,
    again: 0,
    under_way: 0,
    left_out: 0,
    probe: null,
    tried: false,
    failures: 0,
    fingerprint: once?.fingerprint ?? null,
    requested_by: requestedBy,
    created_at: at,
    updated_at: at,
    finished_at: null,
  };
}

/** Writes the job; it begins with `beginJob`, or by itself after half a minute. */
export async function prepareJob(
  { dueTimes, readModels, clock }: Pick<Deps, 'dueTimes' | 'readModels' | 'clock'>,
  doc: WebhookJobDoc,
): Promise<void> {
  const { uuid: id, endpoint_uuid: lane } = doc;
  const dueAt = clock.now() + DOCUMENT_BY_MS;
  await dueTimes.schedule([{ queue: WEBHOOK_JOBS, id, lane, dueAt, payload: { job_uuid: id } }]);
  await readModels.write(webhookJobs.name, [{ id, doc, version: FIRST }]);
}

export const beginJob = ({ dueTimes, clock }: Pick<Deps, 'dueTimes' | 'clock'>, uuid: string) =>
  dueTimes.reschedule(WEBHOOK_JOBS, uuid, clock.now());

async function earlierJob({ readModels }: Deps, { once }: JobOrigin): Promise<WebhookJobDoc | undefined> {
  if (!once) return undefined;
  const known = (await readModels.get(webhookJobs.name, once.uuid))?.doc;
  if (known && known.fingerprint !== once.fingerprint) throw keyReused();
  return known;
}

/** A caller's clock may be ahead of this one by as much as receivers of webhooks allow for theirs. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/** @throws Refusal validation_failed */
export function checkRange(
  { clock, settings }: Pick<Deps, 'clock' | 'settings'>,
  kind: WebhookJobKind,
  { from, from_sequence, to, to_sequence }: JobRequest,
): void {
  if (from !== undefined && from_sequence !== undefined) throw both('from', 'from_sequence');
  if (to !== undefined && to_sequence !== undefined) throw both('to', 'to_sequence');
  if (kind !== 'redeliver_failed' && from === undefined && from_sequence === undefined) {
    throw invalidField('from', 'range_without_start', 'Name where to begin: from (a time) or from_sequence.');
  }
  const horizon = clock.now() - settings.deliveryLogDays * DAY_MS;
  if (from !== undefined && Date.parse(from) < horizon) {
    throw invalidField(
      'from',
      'range_not_possible',
      `from can be ${settings.deliveryLogDays} days ago at the earliest: ${new Date(horizon).toISOString()}.`,
    );
  }
  if (from !== undefined && Date.parse(from) > clock.now() + CLOCKS_DIFFER_MS) {
    throw invalidField(
      'from',
      'range_not_possible',
      'from must not be in the future: nothing happened since then.',
    );
  }
  const reversed =
    from !== undefined && to !== undefined
      ? Date.parse(to) <= Date.parse(from)
      : from_sequence !== undefined && to_sequence !== undefined && to_sequence <= from_sequence;
  if (!reversed) return;
  const end = to === undefined ? 'to_sequence' : 'to';
  throw invalidField(end, 'range_not_possible', `${end} must be after the beginning.`);
}

const both = (time: string, sequence: string): Refusal =>
  invalidField(sequence, 'range_named_twice', `Name ${time} or ${sequence}, not both.`);

async function checkRunning({ readModels }: Deps, endpointUuid: string): Promise<void> {
  const running = await readModels.count(
    webhookJobs.name,
    'by_endpoint_status',
    [endpointUuid, 'running'],
    MOST_RUNNING,
  );
  if (running < MOST_RUNNING) return;
  throw new Refusal(
    'webhook_job_limit_reached',
    `${MOST_RUNNING} replays of this endpoint are running. Wait until one has ended, or cancel one.`,
    { limit: MOST_RUNNING },
  );
}

const inUtc = (time: string | undefined): string | null =>
  time === undefined ? null : new Date(time).toISOString();

/** A job of this endpoint. @throws Refusal not_found */
export async function readJob(
  { readModels }: Pick<Deps, 'readModels'>,
  uuid: string,
  endpointUuid: string,
): Promise<WebhookJobDoc> {
  const doc = (await readModels.get(webhookJobs.name, uuid))?.doc;
  if (doc?.endpoint_uuid !== endpointUuid) {
    throw new Refusal('not_found', 'There is no such replay of this endpoint.', {
      resource: 'webhook_replay',
      uuid,
    });
  }
  return doc;
}

const SHOWN = 100;

/** The newest jobs of an endpoint. */
export async function listJobs(
  { readModels }: Pick<Deps, 'readModels'>,
  endpointUuid: string,
): Promise<readonly WebhookJobDoc[]> {
  const equals: readonly IndexValue[] = [endpointUuid];
  const query = { index: 'by_endpoint', equals, order: 'desc', limit: SHOWN } as const;
  return (await readModels.find(webhookJobs.name, query)).documents.map(({ doc }) => doc);
}

const TURNS = 10;

/**
 * The worker may write progress at the same moment, so the end is written until it is stored. A job that has ended
 * stays as it is. At most one piece more is delivered.
 * @throws Refusal not_found, concurrent_update
 */
export async function endJob(
  { readModels, clock }: Pick<Deps, 'readModels' | 'clock'>,
  uuid: string,
  end: Pick<WebhookJobDoc, 'status' | 'reason'>,
): Promise<WebhookJobDoc | undefined> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const stored = await readModels.get(webhookJobs.name, uuid);
    if (!stored || stored.doc.status !== 'running') return stored?.doc;
    const at = new Date(clock.now()).toISOString();
    const doc = { ...stored.doc, ...end, waits_for: null, updated_at: at, finished_at: at };
    await readModels.write(webhookJobs.name, [{ id: uuid, doc, version: nextVersion(stored.version) }]);
  }
  throw new Refusal('concurrent_update', 'The replay kept changing. Try again.', { retry_after_seconds: 1 });
}
