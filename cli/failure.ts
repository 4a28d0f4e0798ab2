/** Failures and the exit codes of the program. Scripts rely on these codes; see docs/cli.md. */
import { codeOf, messageOf } from '../ports/thrown.js';
import { OPERATORS, type Advice } from './advice.js';

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  unauthorised: 4,
  unreachable: 5,
  interrupted: 130,
} as const;

/** The code of a failure under `--json`, unless the server sent its own. */
const CODES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(EXIT).map(([name, exitCode]) => [exitCode, name]),
);

/** More facts about a failure, for programs. */
export interface FailureFacts {
  readonly requestId?: string | undefined;
  readonly code?: string | undefined;
  readonly details?: unknown;
}

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly requestId: string | undefined;
  /** The code of the server's error, or of this program's own. */
  readonly code: string;
  readonly details: unknown;

  /** @param next the advice: how to resolve the failure */
  constructor(
    readonly exitCode: number,
    message: string,
    readonly next?: string,
    facts: FailureFacts = {},
  ) {
    super(message);
    this.requestId = facts.requestId;
    this.code = facts.code ?? CODES[exitCode] ?? 'failed';
    this.details = facts.details;
  }

  /** The same failure with other advice. */
  advising(next: string): Failure {
    return new Failure(this.exitCode, this.message, next, this);
  }
}

export const usage = (message: string, next?: string, facts?: FailureFacts): Failure =>
  new Failure(EXIT.usage, message, next, facts);

const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  EISDIR: 'it is a folder',
};

/** The failure for a named file that can't be read. */
export function unreadable(file: string, error: unknown): Failure {
  const code = codeOf(error);
  const why = (code === undefined ? undefined : WHY[code]) ?? messageOf(error);
  return usage(
    `${file} can't be read: ${why}.`,
    code === 'ENOENT'
      ? 'Check the name; a relative one starts at the folder that the command runs in.'
      : 'Check what it is and who may read it, then repeat the command.',
    { code: 'file_unreadable' },
  );
}

/** Converts an error envelope of either API to a failure. */
export function fromAnswer(
  status: number,
  body: unknown,
  requestId: string | null,
  advice: Advice = OPERATORS,
): Failure {
  const { code, message, details, request_id } = errorOf(body);
  const lines = [message ?? `The server answered ${status}.`];
  for (const field of fieldsOf(details)) lines.push(`  ${field.path}: ${field.message}`);
  return new Failure(exitCodeOf(status, code), lines.join('\n'), nextStep(status, code, details, advice), {
    requestId: request_id ?? requestId ?? undefined,
    code,
    details,
  });
}

interface WireError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: unknown;
  readonly request_id?: string;
}

function errorOf(body: unknown): WireError {
  const error = at(body, 'error');
  return typeof error === 'object' && error !== null ? error : {};
}

/** The value under a key of an object; undefined in anything else. */
const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;

const list = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

function fieldsOf(details: unknown): readonly { readonly path: string; readonly message: string }[] {
  const fields = list(at(details, 'fields'));
  if (fields)
    return fields.map((one) => ({ path: String(at(one, 'path')), message: String(at(one, 'message')) }));
  const problems = list(at(details, 'problems'));
  if (!problems) return itemsOf(details);
  // For a flow: the block, and its part that is wrong.
  return problems.map((one) => ({
    path: [at(one, 'block'), at(one, 'path')].filter((part) => typeof part === 'string').join('.') || 'flow',
    message: String(at(one, 'message')),
  }));
}

const WHY_NOT_SOLD: Readonly<Record<string, string>> = {
  product_not_found: 'the store has no such product.',
  product_inactive: 'the product is not on sale.',
  variant_required: 'the product has variants: name one.',
  variant_not_found: 'the product has no such variant.',
  variant_inactive: 'the variant is not on sale.',
};

/** The items of an order that was refused, each with the reason. The path is the uuid of the product and of its variant. */
function itemsOf(details: unknown): readonly { readonly path: string; readonly message: string }[] {
  return (list(at(details, 'items')) ?? []).flatMap((item) => {
    const [product, variant] = [at(item, 'product_uuid'), at(item, 'variant_uuid')];
    const [reason, requested, available] = [at(item, 'reason'), at(item, 'requested'), at(item, 'available')];
    if (typeof product !== 'string') return [];
    const path = typeof variant === 'string' ? `${product}/${variant}` : product;
    if (typeof reason === 'string') return [{ path, message: WHY_NOT_SOLD[reason] ?? reason }];
    if (typeof requested !== 'number' || typeof available !== 'number') return [];
    return [{ path, message: `${requested} ordered, ${available} in stock.` }];
  });
}

const BAD_INPUT = new Set(['validation_failed', 'invalid_cursor', 'invalid_json']);

function exitCodeOf(status: number, code: string | undefined): number {
  if (status === 401 || status === 403) return EXIT.unauthorised;
  if (status === 429 || status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  if (code !== undefined && BAD_INPUT.has(code)) return EXIT.usage;
  if ([404, 409, 412, 422].includes(status)) return EXIT.refused;
  return EXIT.failed;
}

function nextStep(
  status: number,
  code: string | undefined,
  details: unknown,
  advice: Advice,
): string | undefined {
  if (status === 401) return advice.unauthorised;
  if (code === 'insufficient_scope')
    return 'Ask the operator for a key that has it; the scopes of a key never change.';
  if (status === 404 && fieldsOf(details).some(({ path }) => path.startsWith('path.'))) return advice.noUuid;
  if (status === 404) return advice.missing(at(details, 'resource'));
  if (status === 429 || status === 503) return 'Try again in a few seconds.';
  if (status >= 500) return 'Search the log of the server for the request id.';
  return code === 'provider_rejected'
    ? 'Check the token and the ids in the WhatsApp Manager, then repeat the command.'
    : undefined;
}
