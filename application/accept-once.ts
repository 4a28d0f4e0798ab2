/**
 * Requests under an Idempotency-Key: what is accepted is one durable event, and the same request again finds it
 * (spec §4, Messages and Flows).
 */
import { createHmac } from 'node:crypto';
import { Refusal } from '../domain/kernel/refusal.js';
import { operationAggregate, operationId, type OperationCommand } from '../domain/operation/decide.js';
import { operationStream } from '../domain/operation/stream.js';
import { canonicalJson } from '../domain/policies/canonical-json.js';
import { operations, type OperationDoc } from '../read-models/operations.js';
import type { App } from './app.js';
import type { CommandContext } from './execute.js';

export interface KeyedRequest<Body> {
  readonly companyUuid: string;
  readonly integrationUuid: string;
  readonly keyId: string;
  /** 1 to 128 characters. */
  readonly idempotencyKey: string;
  readonly requestId: string;
  readonly method: string;
  /** Route template, so that one key can't serve two different calls. */
  readonly route: string;
  readonly body: Body;
}

export interface Accepted {
  readonly operation: OperationDoc;
  /** True when an earlier request under this key made the operation. */
  readonly replayed: boolean;
}

/** What there is to be recorded, and whose personal data it holds. */
export interface Acceptable {
  readonly subject: string;
  readonly command: Extract<OperationCommand, { type: 'AcceptSend' | 'AcceptFlow' }>;
}

/** The same for what means the same: method, route, and body whatever the order of its keys. */
export const fingerprintOf = (
  app: Pick<App, 'indexSecret'>,
  { method, route, body }: Pick<KeyedRequest<unknown>, 'method' | 'route' | 'body'>,
): string =>
  createHmac('sha256', app.indexSecret)
    .update(`${method} ${route} ${canonicalJson(body)}`)
    .digest('base64url');

/**
 * @param check throws what the request is refused with; asked also where an earlier request made the operation
 * @throws Refusal idempotency_key_reused, and what `check` throws
 */
export async function acceptOnce(
  app: App,
  request: KeyedRequest<unknown>,
  check: (fingerprint: string, context: CommandContext) => Promise<Acceptable>,
): Promise<Accepted> {
  const uuid = operationId(request.integrationUuid, request.idempotencyKey);
  const stream = operationStream.toName(uuid);
  const fingerprint = fingerprintOf(app, request);
  const context: CommandContext = {
    company: request.companyUuid,
    actor: `key:${request.keyId}`,
    // Fresh for each request: of two that race, one must see the other's event, not take it for its own.
    commandId: app.newId(),
    correlationId: request.requestId,
    causationId: request.requestId,
    subject: null,
    assumeNew: true,
  };
  let acceptable: Acceptable;
  try {
    acceptable = await check(fingerprint, context);
  } catch (refusal) {
    // A retry must get its answer even if, say, the template has been paused since, or its own send closed a gate. Asked
    // only now, because nearly every request is new and passes.
    const [known] = await app.store.read(stream, { limit: 1 });
    if (!known) throw refusal;
    if (known.data['fingerprint'] !== fingerprint) throw keyReused();
    return { operation: await asAccepted(app, uuid), replayed: true };
  }
  const { subject, command } = acceptable;
  const { events } = await app.executor.execute(operationAggregate, uuid, command, { ...context, subject });
  const replayed = events.length === 0;
  return {
    operation: replayed || app.barrier.mayLag() ? await asAccepted(app, uuid) : await shown(app, uuid),
    replayed,
  };
}

/** As the first answer under the key showed it: what has become of it since is what GET /operations is for. */
async function asAccepted(app: App, uuid: string): Promise<OperationDoc> {
  const doc = await app.replay(operations.name, operationStream.toName(uuid), 0);
  if (doc === undefined) throw new Error(`operation ${uuid} was accepted but can not be read`);
  return doc;
}

/** Where every write takes the read models along, what was accepted a moment ago is there. */
async function shown(app: App, uuid: string): Promise<OperationDoc> {
  const stored = await app.readModels.get(operations.name, uuid);
  return stored?.doc ?? (await asAccepted(app, uuid));
}

export const keyReused = (): Refusal =>
  new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  );
