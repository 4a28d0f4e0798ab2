/**
 * Validates requests against the contract with express-openapi-validator.
 *
 * Express does the routing, so only the validating middleware runs per request. The validator's own route look-up
 * compiles a regular expression for every path of the contract on every request; here it runs once per operation, at
 * the start. Its cache of compiled schemas is keyed by the caller's spelling of the Content-Type header and grows
 * without bound, so it receives only one spelling.
 */
import { createRequire } from 'node:module';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { yieldToEventLoop } from '../../ports/waiting.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { operationsOf, type Contract, type ContractDocument, type ContractOperation } from '../contract.js';
import { toFieldErrors, validationFailed, type FieldError, type ValidatorItem } from './field-errors.js';
import { excerptOf, isLarge, type Excerpt } from './excerpt.js';
import { firstFaultsOf, type FirstFault } from './first-fault.js';
import { integerFaults, integerParametersOf, type IntegerParameter } from './integer-parameters.js';
import { requestPart } from './request-part.js';

/** @throws Refusal validation_failed, idempotency_key_required, not_found (a path uuid that is invalid) */
export type ValidateRequest = (req: Request, res: Response) => Promise<void>;

/** The validator's description of an operation, as it puts it on a request. */
interface OpenApiMetadata {
  readonly openApiRoute: string;
  readonly expressRoute: string;
  readonly schema: object;
  readonly serial: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  allowReserved?: boolean;
}

/** Metadata of an operation, from the validator. */
type Described = Record<string, unknown> & { openapi?: OpenApiMetadata };

type ValidatedRequest = Request & { openapi?: object };

/**
 * Path parameters with such a name are uuids (spec §4). An invalid one names no resource, regardless of the rule it
 * breaks.
 */
const PATH_UUID = /^path\.(?:\w+_uuid|delivery_id)$/;

export interface RequestValidators {
  /** By operationId. A schema is compiled on its first use. */
  readonly validators: ReadonlyMap<string, ValidateRequest>;
  /** Compiles the remaining schemas one by one, before callers need them. Once per process. */
  readonly warm: () => Promise<void>;
}

const ofContracts = new WeakMap<Contract, Promise<RequestValidators>>();

/**
 * Created once per contract: the validators hold compiled schemas and no state of a server.
 * @throws Error when the contract cannot be used
 */
export function requestValidatorsOf(contract: Contract): Promise<RequestValidators> {
  let known = ofContracts.get(contract);
  if (!known) ofContracts.set(contract, (known = createRequestValidators(contract)));
  return known;
}

/**
 * The library compiles the schema of OpenAPI itself, also where it is to check no document by it: 0.1 s of a start. Ours
 * are checked when they change (`npm run lint:openapi`).
 */
function checkNoDocument(): void {
  const path = 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
  const module = createRequire(import.meta.url)(path) as { OpenAPISchemaValidator: unknown };
  module.OpenAPISchemaValidator = class {};
}

async function createRequestValidators(contract: Contract): Promise<RequestValidators> {
  const document = requestPart(contract.document);
  const parameters = parametersOf(document);
  // URL libraries write `?query=maria+souza` and `?query=a,b`. The validator would insist on a literal reading of
  // RFC 3986.
  for (const parameter of parameters) if (parameter.in === 'query') parameter.allowReserved = true;
  checkNoDocument();
  const middlewares = OpenApiValidator.middleware({
    apiSpec: document as never,
    validateApiSpec: false,
    validateRequests: { allErrors: true, allowUnknownQueryParameters: false },
    validateResponses: false,
    validateSecurity: false,
    // No route accepts a form with files: multer, which the validator includes, is never called.
    fileUploader: false,
  }) as readonly RequestHandler[];
  const describe = named(middlewares, 'metadataMiddleware');
  const validate = named(middlewares, 'requestMiddleware');
  const headerNames = new Map(
    parameters.filter((p) => p.in === 'header').map((p) => [p.name.toLowerCase(), p.name]),
  );
  const basePath = basePathOf(contract.document);
  const firstFaultOf = firstFaultsOf(() => requestPart(contract.document));
  const validators = new Map<string, ValidateRequest>();
  for (const operation of operationsOf(contract.document)) {
    const found = await metadataOf(describe, operation, basePath);
    const metadata = operation.takesBytes ? parametersAlone(found) : found;
    const body = operation.takesBytes ? undefined : bodyOf(contract.document, operation);
    const integers = integerParametersOf(contract.document, operation);
    const firstFault = firstFaultOf(operation);
    const one = validatorOf(validate, metadata, { headerNames, body, integers, firstFault });
    validators.set(operation.operationId, one);
  }
  let warming: Promise<void> | undefined;
  return { validators, warm: () => (warming ??= compileAll(contract, validators)) };
}

async function compileAll(
  contract: Contract,
  validators: ReadonlyMap<string, ValidateRequest>,
): Promise<void> {
  for (const operation of operationsOf(contract.document)) {
    // Yields between schemas: compiling one takes some tens of milliseconds.
    await yieldToEventLoop();
    await compile(validators.get(operation.operationId)!, operation);
  }
}

/** Path of the first server of the document: `/api/v1`. */
export function basePathOf(document: ContractDocument): string {
  const [server] = (document['servers'] ?? []) as { url: string }[];
  return server ? new URL(server.url, 'http://localhost').pathname.replace(/\/$/, '') : '';
}

interface RequestBody {
  readonly required?: boolean;
}

const bodyOf = (document: ContractDocument, { path, method }: ContractOperation): RequestBody | undefined =>
  document.paths[path]?.[method.toLowerCase()]?.['requestBody'] as RequestBody | undefined;

export const hasBody = (document: ContractDocument, operation: ContractOperation): boolean =>
  bodyOf(document, operation) !== undefined;

function named(middlewares: readonly RequestHandler[], name: string): RequestHandler {
  const found = middlewares.find((middleware) => middleware.name === name);
  if (!found) throw new Error(`express-openapi-validator has no ${name} in this version`);
  return found;
}

/** All parameter objects of the document: shared ones, those of a path, and those of an operation. */
function parametersOf(document: ContractDocument): Parameter[] {
  const components = document['components'] as { parameters?: Record<string, Parameter> } | undefined;
  const own = Object.values(document.paths).flatMap((item) => [
    ...((item['parameters'] ?? []) as Parameter[]),
    ...Object.values(item).flatMap((operation) => (operation['parameters'] ?? []) as Parameter[]),
  ]);
  return [...Object.values(components?.parameters ?? {}), ...own].filter((p) => typeof p.name === 'string');
}

async function metadataOf(
  describe: RequestHandler,
  { method, path, operationId }: ContractOperation,
  basePath: string,
): Promise<OpenApiMetadata> {
  const url = basePath + path.replaceAll(/\{\w+\}/g, 'x');
  const app = { enabled: () => false };
  const req: Described = { method, path: url, originalUrl: url, baseUrl: '', app };
  await run(describe, ...called(req));
  const found = req.openapi;
  if (found?.openApiRoute !== basePath + path) throw new Error(`no route of the contract for ${operationId}`);
  return found;
}

function validatorOf(
  validate: RequestHandler,
  metadata: OpenApiMetadata,
  {
    headerNames,
    body,
    integers,
    firstFault,
  }: {
    readonly headerNames: ReadonlyMap<string, string>;
    readonly body: RequestBody | undefined;
    readonly integers: readonly IntegerParameter[];
    readonly firstFault: FirstFault;
  },
): ValidateRequest {
  const withoutBody = parametersAlone(metadata);
  return async (req, res) => {
    const given: unknown = req.body;
    const large = body !== undefined && isLarge(given);
    const inBody = large ? firstFault(given) : [];
    // The validator would check the whole body and list every fault, so it receives an excerpt.
    const excerpt = inBody.length > 0 ? excerptOf(given) : undefined;
    // The validator overwrites the values that it reads.
    const faults = integerFaults(req, integers);
    const repeated = repeatedParameters(req);
    const { headers } = req;
    if (body !== undefined) headers['content-type'] = 'application/json';
    else delete headers['content-type'];
    const known = large && !excerpt ? withoutBody : metadata;
    (req as ValidatedRequest).openapi = { ...known, pathParams: req.params };
    if (excerpt) req.body = excerpt.body;
    try {
      await run(validate, req, res);
    } catch (error) {
      throw explain(error, { headerNames, faults, repeated, inBody, excerpt });
    }
    if (faults.length > 0 || inBody.length > 0)
      throw refusalOf([], { headerNames, faults, repeated, inBody, excerpt });
    // The validator requires a body only if its schema requires a field.
    if (body?.required === true && req.body === undefined) {
      throw validationFailed([{ path: 'body', code: 'required', message: 'is required.' }]);
    }
    for (const [name, spelling] of headerNames) requireSingle(req, name, spelling);
  };
}

/** As much of a request as the validator looks at, and a response that it does not touch. */
const called = (req: object): [Request, Response] => [req as Request, {} as Response];

function run(middleware: RequestHandler, req: Request, res: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    const next: NextFunction = (error?: unknown) =>
      error === undefined
        ? resolve()
        : reject(error instanceof Error ? error : new Error('validation', { cause: error }));
    void middleware(req, res, next);
  });
}

/** Headers that contain a list, so that repeating them is allowed. */
const LISTS: ReadonlySet<string> = new Set(['if-match']);

/** Node joins repeated headers with a comma, so two keys would pass as one that is neither. */
function requireSingle(req: Request, name: string, spelling: string): void {
  const value = req.headers[name];
  if (typeof value !== 'string' || !value.includes(',') || LISTS.has(name)) return;
  if ((req.headersDistinct[name]?.length ?? 1) > 1) {
    throw validationFailed([
      { path: `header.${spelling}`, code: 'repeated', message: 'is sent more than once. Send it once.' },
    ]);
  }
}

/** Paths of the parameters that the query names more than once. */
const repeatedParameters = ({ query }: Request): ReadonlySet<string> =>
  new Set(Object.keys(query).flatMap((name) => (Array.isArray(query[name]) ? [`query.${name}`] : [])));

/** What is wrong with a list where one value belongs: its type, its values, and so on. Only one of them is the cause. */
function repeatedOnce(fields: readonly FieldError[], repeated: ReadonlySet<string>): readonly FieldError[] {
  const seen = new Set<string>();
  return fields.flatMap((field) => {
    if (!repeated.has(field.path) || field.code === 'unknown_parameter') return [field];
    if (seen.has(field.path)) return [];
    seen.add(field.path);
    return [{ ...field, message: 'is sent more than once. Send it once.' }];
  });
}

interface Beside {
  readonly headerNames: ReadonlyMap<string, string>;
  /** Faults that the validator cannot see; a fault that it reports for the same field is more precise. */
  readonly faults: readonly FieldError[];
  /** Parameters that the query names more than once. */
  readonly repeated: ReadonlySet<string>;
  /** Faults of a body of which the validator received an excerpt. */
  readonly inBody: readonly ValidatorItem[];
  readonly excerpt: Excerpt | undefined;
}

function explain(error: unknown, beside: Beside): unknown {
  const { status, errors } = error as { status?: number; errors?: readonly ValidatorItem[] };
  return status === 400 && errors ? refusalOf(errors, beside) : error;
}

function refusalOf(errors: readonly ValidatorItem[], beside: Beside): Refusal {
  const { headerNames, faults, repeated, inBody, excerpt } = beside;
  const theirs = errors.filter((item) => !excerpt?.isOwnFault(item));
  const { fields: found, total } = toFieldErrors([...inBody, ...theirs], headerNames);
  const all = [...found, ...faults.filter(({ path }) => !found.some((other) => other.path === path))];
  const fields = repeatedOnce(all, repeated);
  const named = fields.filter(({ path }) => PATH_UUID.test(path));
  if (named.length > 0) {
    return new Refusal('not_found', 'There is no such resource: the identifier in the path is no UUID.', {
      fields: named,
    });
  }
  if (fields.some(({ path, code }) => path === 'header.Idempotency-Key' && code === 'required')) {
    return new Refusal(
      'idempotency_key_required',
      'Send an Idempotency-Key header of 1 to 128 characters: a new one for each new request, the same one for a retry.',
      { fields },
    );
  }
  return validationFailed(fields, excerpt ? null : total + fields.length - found.length);
}

/** The same operation without its body, under another name, because the validator caches compiled schemas by name. */
const parametersAlone = (metadata: OpenApiMetadata): OpenApiMetadata => ({
  ...metadata,
  expressRoute: `${metadata.expressRoute} without its body`,
  schema: { ...metadata.schema, requestBody: undefined },
});

/** Uses a validator once in advance, so that no request waits for the compilation. */
async function compile(validator: ValidateRequest, { method, path }: ContractOperation): Promise<void> {
  const req = { method, path, originalUrl: path, query: {}, params: {}, headers: {}, body: undefined };
  try {
    await validator(...called(req));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}
