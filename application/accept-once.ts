/**
 * Requests under an Idempotency-Key. Accepting a request appends one durable event; repeating the request finds that
 * event (spec §4, Messages and Flows).
 */
import { createHmac } from 'node:crypto';
import type { CompanyUuid } from '../domain/kernel/ids.js';
import { Refusal } from '../domain/kernel/refusal.js';
import { operationAggregate, operationId, type OperationCommand } from '../domain/operation/decide.js';
import { canonicalJson } from '../domain/policies/canonical-json.js';
import { operationStream } from '../domain/streams.js';
import { operations, type OperationDoc } from '../read-models/operations.js';
import type { App } from './app.js';
import type { CommandContext } from './execute.js';

export interface KeyedCall<Body> {
  readonly companyUuid: CompanyUuid;
  /** Callers that share their keys: the uuid of an integration, or the operators of a company. */
  readonly keyOwner: string;
  /** As recorded with events: `key:<id>`, `admin`. */
  readonly actor: string;
  /** 1 to 128 characters. */
  readonly idempotencyKey: string;
  readonly requestId: string;
  readonly method: string;
  /** Route template, so that one key cannot serve two different calls. */
  readonly route: string;
  readonly body: Body;
}

/** The operators of a company share their keys. */
export const operatorsOf = (companyUuid: CompanyUuid): string => `operators:${companyUuid}`;

/** A call of an integration, with one of its API keys. */
export interface KeyedRequest<Body> extends KeyedCall<Body> {
  readonly integrationUuid: string;
  readonly keyId: string;
}

export interface Accepted {
  readonly operation: OperationDoc;
  /** True when an earlier request under this key created the operation. */
  readonly replayed: boolean;
}

/** The command to record, and the subject whose key seals its personal data. */
export interface Acceptable {
  readonly subject: string;
  readonly command: Extract<OperationCommand, { type: 'AcceptSend' | 'AcceptFlow' }>;
}

/** Equal for equivalent requests: covers method, route and body, regardless of the order of the body's keys. */
export const fingerprintOf = (
  app: Pick<App, 'indexSecret'>,
  { method, route, body }: Pick<KeyedCall<unknown>, 'method' | 'route' | 'body'>,
): string =>
  createHmac('sha256', app.indexSecret)
    .update(`${method} ${route} ${canonicalJson(body)}`)
    .digest('base64url');

/**
 * @param check throws the refusal of the request; also called where an earlier request created the operation
 * @throws Refusal idempotency_key_reused, and what `check` throws
 */
export async function acceptOnce(
  app: Pick<App, 'barrier' | 'executor' | 'indexSecret' | 'newId' | 'readModels' | 'replay' | 'store'>,
  request: KeyedCall<unknown>,
  check: (fingerprint: string, context: CommandContext) => Promise<Acceptable>,
): Promise<Accepted> {
  const uuid = operationId(request.keyOwner, request.idempotencyKey);
  const stream = operationStream.toName(uuid);
  const fingerprint = fingerprintOf(app, request);
  const context: CommandContext = {
    company: request.companyUuid,
    actor: request.actor,
    // A new id for each request: of two concurrent ones, each must recognise the other's event as not its own.
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
    // A retry must get its original answer even if, for example, the template has been paused since, or its own send
    // closed a gate. Read only now, because nearly every request is new and passes the check.
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

/** The operation as the first answer under the key showed it. GET /operations returns its current state. */
async function asAccepted(app: Pick<App, 'replay'>, uuid: string): Promise<OperationDoc> {
  const doc = await app.replay(operations.name, operationStream.toName(uuid), 0);
  if (doc === undefined) throw new Error(`operation ${uuid} was accepted but can not be read`);
  return doc;
}

/** Where every write also updates the read models, an operation that was just accepted is already in its read model. */
async function shown(app: Pick<App, 'readModels' | 'replay'>, uuid: string): Promise<OperationDoc> {
  const stored = await app.readModels.get(operations.name, uuid);
  return stored?.doc ?? (await asAccepted(app, uuid));
}

export const keyReused = (): Refusal =>
  new Refusal(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
  );
