/**
 * A router generated from an OpenAPI document: it serves exactly the operations of the contract.
 *
 * Every request passes, in this order: request id, authentication, route, scope, quota, admission, body, validation,
 * record, handler. A caller without a credential therefore cannot learn which paths exist, and one without the scope cannot
 * learn the form of a body.
 */
import { Router, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { Clock, NewId } from '../../ports/clock.js';
import type { Logger } from '../../ports/logger.js';
import { operationsOf, type Contract, type ContractOperation } from '../contract.js';
import type { Call, Caller, Handler, Handlers, Progress, Reply } from './call.js';
import { BODY_LIMIT_BYTES, bytesOf, readJsonBody } from './json-body.js';
import { createQuotas, type Limits } from './quotas.js';
import { createReplyWriter, type Answer, type ReplyWriter } from './reply.js';
import { hasBody, requestValidatorsOf, type ValidateRequest } from './request-validator.js';
import { responseCheckOf } from './response-check.js';

export interface ContractRouterOptions<C extends Caller> {
  readonly contract: Contract;
  /** @throws Refusal unauthenticated */
  readonly authenticate: (req: Request) => Promise<C>;
  readonly handlers: Handlers<C>;
  /** Further conditions for an operation, checked before the request's content. @throws Refusal */
  readonly admit?: (
    caller: C,
    operation: ContractOperation,
    params: Call['params'],
  ) => Promise<unknown> | undefined;
  /** The query that the handler gets. @throws Refusal */
  readonly narrow?: (caller: C, operation: ContractOperation, query: Call['query']) => Call['query'];
  /** Called before the handler, for a call that is admitted and valid: what it throws refuses the call. */
  readonly record?: (call: Call<C>) => Promise<void> | undefined;
  /** The reply as this caller may see it. */
  readonly show?: (
    caller: C,
    operation: ContractOperation,
    params: Call['params'],
    reply: Reply,
  ) => Reply | Promise<Reply>;
  /** Paths served without a credential; not part of the contract. */
  readonly open?: Readonly<Record<string, RequestHandler>>;
  readonly logger: Logger;
  readonly newId: NewId;
  readonly clock: Clock;
  /** Wraps a handler's work: if read models lag, it returns once the handler's writes can be read. */
  readonly visible?: <T>(work: () => Promise<T>) => Promise<T>;
  /** For metrics: called after each response was written. */
  readonly onAnswer?: (answer: Answer) => void;
  /** Requests per minute by class and caller; unlimited when omitted. */
  readonly limits?: Limits;
  readonly bodyLimitBytes?: number;
  /** Validates every response against the contract; one that does not match becomes a 500. */
  readonly validateResponses: boolean;
}

const WARM_AFTER_MS = 1_000;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const NO_LIMITS: Limits = { reads: Infinity, sends: Infinity };

/** Everything that an operation needs to process a request. */
interface Stage<C extends Caller> {
  readonly operation: ContractOperation;
  readonly validate: ValidateRequest;
  readonly takesBody: boolean;
  /** Absent: the operation is in the contract but not built yet. */
  readonly handler: Handler<C> | undefined;
}

/**
 * Serves the paths of the document relative to its mount point. Schemas are compiled in the background afterwards.
 *
 * @throws Error when a handler has no operation, or an operation has no handler and does not document 501
 */
export async function contractRouter<C extends Caller>(options: ContractRouterOptions<C>): Promise<Router> {
  const { contract, authenticate, handlers, admit, narrow, record, show, logger, newId, clock, visible } =
    options;
  const operations = operationsOf(contract.document);
  assertComplete(operations, handlers);
  const { validators, warm } = await requestValidatorsOf(contract);
  // Delayed, because compiling during the start would double its duration.
  // eslint-disable-next-line no-restricted-globals -- it must not keep a process alive, which a clock's timer does
  const warming = setTimeout(() => {
    warm().catch((error: unknown) =>
      logger.error({ err: error }, 'a schema of the contract does not compile'),
    );
  }, WARM_AFTER_MS);
  warming.unref();
  const writer = createReplyWriter({
    logger,
    clock,
    check: options.validateResponses ? responseCheckOf(contract) : undefined,
    onAnswer: options.onAnswer,
  });
  const spend = createQuotas(options.limits ?? NO_LIMITS, () => clock.monotonic());
  const bodyLimit = options.bodyLimitBytes ?? BODY_LIMIT_BYTES;

  async function pass(stage: Stage<C>, req: Request, res: Response): Promise<void> {
    const { operation, handler } = stage;
    const progress = req.progress!;
    progress.operation = operation;
    const caller = progress.caller as C;
    requireScope(caller, operation.requiredScope);
    if (operation.rateLimit !== null) spend(progress, operation.rateLimit, caller.actor);
    const params = paramsOf(req);
    await admit?.(caller, operation, params);
    if (!handler) throw notImplemented();
    const limit = operation.bodyLimitBytes ?? bodyLimit;
    const { takesBytes, itemsWithOutcomes } = operation;
    const bytes = takesBytes ? bytesOf(req) : undefined;
    req.body = stage.takesBody && !takesBytes ? await readJsonBody(req, limit, itemsWithOutcomes) : undefined;
    await stage.validate(req, res);
    const call = {
      caller,
      requestId: progress.requestId,
      operation,
      params,
      query: narrow ? narrow(caller, operation, req.query) : req.query,
      headers: req.headers,
      address: req.ip ?? '',
    };
    await record?.(call);
    // What it has just been validated to be.
    const body = (bytes ?? req.body) as never;
    const reply = await (visible ? visible(() => handler(call, body)) : handler(call, body));
    writer.send(req, res, show ? await show(caller, operation, params, reply) : reply);
  }

  const router = Router({ caseSensitive: true });
  for (const [path, handler] of Object.entries(options.open ?? {})) router.get(path, handler);
  // The only middleware before the routes, because every request pays for each one.
  router.use((req: Request, _res: Response, next: NextFunction) => {
    const progress = beginProgress(req, newId, clock);
    req.progress = progress;
    return authenticate(req).then((caller) => {
      progress.caller = caller;
      next();
    });
  });
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const atPath = operations.filter((operation) => operation.path === path);
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const operation of atPath) {
      const stage: Stage<C> = {
        operation,
        validate: validators.get(operation.operationId)!,
        takesBody: hasBody(contract.document, operation),
        handler: handlers[operation.operationId],
      };
      route[operation.method.toLowerCase() as 'get']((req, res) => pass(stage, req, res));
    }
    route.all(otherMethod(atPath, writer));
  }
  router.use(() => {
    throw new Refusal('not_found', 'There is no such path. See the reference at /docs.');
  });
  router.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    writer.fail(req, res, isBadPath(error) ? new Refusal('not_found', 'There is no such path.') : error);
  });
  return router;
}

/** Every request has an id: the caller's own if it is valid, else a new one. */
function beginProgress(req: Request, newId: NewId, clock: Clock): Progress {
  const given = req.headers['x-request-id'];
  return {
    requestId: typeof given === 'string' && REQUEST_ID.test(given) ? given : newId(),
    startedAt: clock.monotonic(),
    operation: null,
    caller: null,
    quota: null,
  };
}

function assertComplete(operations: readonly ContractOperation[], handlers: Handlers<never>): void {
  const ids = new Set(operations.map((operation) => operation.operationId));
  const unknown = Object.keys(handlers).filter((id) => !ids.has(id));
  const missing = operations
    .filter((o) => !o.notImplemented && !handlers[o.operationId])
    .map((o) => o.operationId);
  if (unknown.length > 0)
    throw new Error(`handlers for operations the contract lacks: ${unknown.join(', ')}`);
  if (missing.length > 0)
    throw new Error(`operations of the contract without a handler: ${missing.join(', ')}`);
}

function requireScope(caller: Caller, scope: string): void {
  if (caller.scopes.includes(scope)) return;
  throw new Refusal(
    'insufficient_scope',
    `This key lacks the scope ${scope}. Use a key that has it, or have one issued.`,
    { required_scope: scope, granted_scopes: caller.scopes },
  );
}

/** Callers may spell a UUID in any case; the stores compare text, so it is converted to lower case. */
function paramsOf(req: Request): Readonly<Record<string, string>> {
  const { params } = req as { params: Record<string, string> };
  let lowered: Record<string, string> | undefined;
  for (const name in params) {
    if (!name.endsWith('_uuid')) continue;
    lowered ??= { ...params };
    lowered[name] = params[name]!.toLowerCase();
  }
  return lowered ?? params;
}

function otherMethod(operations: readonly ContractOperation[], writer: ReplyWriter): RequestHandler {
  const methods = operations.map((operation) => operation.method);
  if (methods.includes('GET')) methods.push('HEAD');
  const allow = [...methods, 'OPTIONS'].join(', ');
  return (req, res) => {
    if (req.method === 'OPTIONS') {
      writer.send(req, res, { status: 204, headers: { Allow: allow } });
      return;
    }
    throw new Refusal('method_not_allowed', `This path does not take ${req.method}. It takes ${allow}.`, {
      allow,
    });
  };
}

const notImplemented = (): Refusal =>
  new Refusal(
    'not_implemented',
    'This operation is part of the contract but is not built yet in this release.',
  );

/** A percent-encoding that cannot be decoded names no resource. */
const isBadPath = (error: unknown): boolean => error instanceof URIError;
