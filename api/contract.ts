import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { servedContract } from './served-contract.js';

/** An operation object of the contract, limited to what the server reads. */
export interface OperationObject {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** The parsed contract as plain JSON, limited to what the server reads. */
export interface ContractDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly [field: string]: unknown;
}

export interface Contract {
  /** Give `express-openapi-validator` a `structuredClone` of it: the validator strips examples from its input. */
  readonly document: ContractDocument;
  /** The document as callers see it, as JSON text; see served-contract.ts. */
  readonly json: string;
  /** Strong entity tag of `json`, quoted. */
  readonly etag: string;
  /** The file as it is written. */
  readonly yaml: string;
}

export type ContractName = 'public' | 'admin';
export type RateLimitClass = 'reads' | 'sends';

export interface ContractOperation {
  /** Upper case. */
  readonly method: string;
  /** In OpenAPI form, relative to the server: `/contacts/{contact_uuid}`. */
  readonly path: string;
  readonly operationId: string;
  readonly requiredScope: string;
  /** The quota that a call counts against; null when none applies (the admin interface). */
  readonly rateLimit: RateLimitClass | null;
  /** The operation documents 501: it is in the contract but not built yet. */
  readonly notImplemented: boolean;
  /** Largest body in bytes, if it differs from the default. */
  readonly bodyLimitBytes: number | null;
  /** The list of the body whose items have separate outcomes: a fault in one item does not fail the whole call. */
  readonly itemsWithOutcomes: string | null;
  /** The response contains a secret: it is never compressed, since its length would leak the secret (BREACH). */
  readonly showsSecret: boolean;
  /** The body is a file, not JSON: the handler reads it. */
  readonly takesBytes: boolean;
}

// The build puts the YAML files beside the compiled module, at the same relative paths.
const FILES: Readonly<Record<ContractName, string>> = {
  public: './openapi.yaml',
  admin: './admin/openapi.yaml',
};
const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const loaded = new Map<ContractName, Contract>();

/** Reads and parses a contract once per process. Throws when the file is missing or not YAML. */
export function loadContract(name: ContractName = 'public'): Contract {
  const known = loaded.get(name);
  if (known) return known;
  const yaml = readFileSync(new URL(FILES[name], import.meta.url), 'utf8');
  const document = (JSON.parse(prepared(name) ?? 'null') ?? parsed(yaml)) as ContractDocument;
  const json = JSON.stringify(servedContract(document));
  const etag = `"${createHash('sha256').update(json).digest('base64url')}"`;
  const contract = { document, json, etag, yaml };
  loaded.set(name, contract);
  return contract;
}

/** The build writes the JSON beside the YAML: parsing YAML would take half a second of every start. */
function prepared(name: ContractName): string | undefined {
  try {
    return readFileSync(new URL(FILES[name].replace(/yaml$/, 'json'), import.meta.url), 'utf8');
  } catch {
    return undefined;
  }
}

/** Run from the sources, without a build. Only then is the parser loaded. */
const parsed = (yaml: string): unknown => (createRequire(import.meta.url)('yaml') as typeof Yaml).parse(yaml);

/**
 * Every operation under `paths`, in the order of the file. Throws on one without id or scope: the server relies on
 * both.
 */
export function operationsOf(document: ContractDocument): ContractOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [describe(method, path, operation)] : [];
    }),
  );
}

function describe(method: string, path: string, operation: OperationObject): ContractOperation {
  const { operationId, responses } = operation;
  const requiredScope = operation['x-required-scope'];
  const rateLimit = operation['x-rate-limit'];
  const bodyLimit = operation['x-body-limit-bytes'];
  const items = operation['x-items-with-outcomes'];
  if (typeof operationId !== 'string' || typeof requiredScope !== 'string') {
    throw new Error(`${method} ${path} of the contract lacks an operationId or x-required-scope`);
  }
  return {
    method: method.toUpperCase(),
    path,
    operationId,
    requiredScope,
    rateLimit: rateLimit === 'reads' || rateLimit === 'sends' ? rateLimit : null,
    notImplemented: '501' in responses,
    bodyLimitBytes: typeof bodyLimit === 'number' ? bodyLimit : null,
    itemsWithOutcomes: typeof items === 'string' ? items : null,
    showsSecret: operation['x-shows-secret'] === true,
    takesBytes: operation['x-takes-bytes'] === true,
  };
}
