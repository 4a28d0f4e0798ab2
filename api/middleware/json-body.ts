/**
 * Reads request bodies: bounded, UTF-8, JSON, and without values that would cause harm later. Stricter than the usual
 * body parser, which silently replaces invalid UTF-8 and inflates compressed bodies.
 */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isObject } from '../../domain/kernel/json.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { FaultyItem } from '../../domain/policies/faulty-item.js';
import { alteredNumbers } from '../../domain/policies/json-numbers.js';
import { faultWithin, structureFault, type StructureFault } from '../../domain/policies/json-structure.js';
import { yieldToEventLoop } from '../../ports/waiting.js';
import type { BytesBody } from './call.js';
import { fieldPath, validationFailed } from './field-errors.js';
import { locateJsonError } from './json-error-position.js';
import { holdsMoreValues } from './json-values.js';

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** Enough for any meaningful body of that size. A body made only of tiny values would take long to parse. */
export const MAX_VALUES = 65_000;
/** 100 products with 100 variants each, every field filled in, contain 143,000 values. */
export const MAX_VALUES_WITH_ITEMS = 150_000;
/** More than any list of items with separate outcomes may contain. */
const MAX_FAULTY_ITEMS = 1_000;
/** Larger bodies are parsed in steps with other requests in between: each step for 8 MiB takes tens of milliseconds. */
const IN_TURNS_BYTES = 256 * 1024;

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * The parsed body, or undefined when none was sent.
 *
 * @param list name of the list whose items have separate outcomes: a faulty item becomes a FaultyItem there
 * @throws Refusal unsupported_media_type, payload_too_large, invalid_json, validation_failed
 */
export async function readJsonBody(
  req: IncomingMessage,
  limit: number,
  list: string | null = null,
): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': encoding, 'content-length': length } = req.headers;
  if (length === '0' || (length === undefined && req.headers['transfer-encoding'] === undefined)) {
    return undefined;
  }
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('unsupported_media_type', 'Send the body uncompressed, without Content-Encoding.', {
      received: encoding.slice(0, 100),
    });
  }
  if (type === undefined || !JSON_TYPE.test(type)) {
    throw new Refusal(
      'unsupported_media_type',
      'Send the body as UTF-8 JSON, with the header "Content-Type: application/json".',
      { received: type?.slice(0, 100) ?? null },
    );
  }
  if (Number(length) > limit) throw tooLarge(limit);
  const bytes = await readBytes(req, limit);
  if (bytes.length === 0) return undefined;
  if (bytes.length <= IN_TURNS_BYTES) return parseJson(bytes, list);
  const steps = parsing(bytes, list);
  for (;;) {
    await yieldToEventLoop();
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * @param list as in readJsonBody
 * @throws Refusal payload_too_large, invalid_json, validation_failed
 */
export function parseJson(bytes: Buffer, list: string | null = null): unknown {
  const steps = parsing(bytes, list);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Yields between its steps. */
function* parsing(bytes: Buffer, list: string | null): Generator<void, unknown, void> {
  if (!isUtf8(bytes)) {
    throw new Refusal('invalid_json', 'The request body is not valid UTF-8. Encode it as UTF-8.', {});
  }
  const values = list === null ? MAX_VALUES : MAX_VALUES_WITH_ITEMS;
  if (holdsMoreValues(bytes, values)) {
    throw new Refusal(
      'payload_too_large',
      `The request body holds more than ${values} values. Send less in one call.`,
      { limit_values: values },
    );
  }
  yield;
  const text = withoutMark(bytes.toString('utf8'));
  yield;
  const value = parsed(text);
  yield;
  if (list !== null && holdsList(value, list)) return yield* withFaultyItems(value, text, list);
  refuse(structureFault(value, text));
  yield;
  for (const { path } of alteredNumbers(text)) refuse({ path, ...ALTERED });
  return value;
}

/** @throws Refusal invalid_json, validation_failed */
export function parseJsonText(given: string): unknown {
  const text = withoutMark(given);
  const value = parsed(text);
  refuse(structureFault(value, text));
  return value;
}

const withoutMark = (text: string): string => (text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the body, which is personal, and often has no position.
    const at = locateJsonError(text);
    throw new Refusal(
      'invalid_json',
      `The request body is not valid JSON: check line ${at.line}, column ${at.column}.`,
      { ...at },
    );
  }
}

/** Content that is valid JSON but not allowed in a body. */
type Fault = Omit<StructureFault, 'code'> & { readonly code: string };

const ALTERED = {
  code: 'number_not_exact',
  message:
    'is a number that would be kept as another one: JSON numbers are read as 64-bit floats. Send it as a string.',
} as const;

function refuse(fault: Fault | null): void {
  if (fault === null) return;
  const { path, code, message } = fault;
  throw validationFailed([{ path: fieldPath(path) || 'body', code, message }]);
}

/** The name of the list and the item's index. */
const ITEM_LEVELS = 2;

type WithList = Readonly<Record<string, unknown>>;

const holdsList = (value: unknown, list: string): value is WithList =>
  isObject(value) && Array.isArray(value[list]);

/** @throws Refusal validation_failed for a fault outside the items */
function* withFaultyItems(value: WithList, text: string, list: string): Generator<void, unknown, void> {
  const items = value[list] as readonly unknown[];
  const faults = new Map<number, FaultyItem>();
  const keep = (index: number, { path, code, message }: Fault): void => {
    if (!faults.has(index)) faults.set(index, new FaultyItem(items[index], path, code, message));
  };
  if (structureFault(value, text) !== null) {
    refuse(faultWithin({ ...value, [list]: [] }));
    for (const [index, item] of items.entries()) {
      const fault = faultWithin(item);
      if (fault === null) continue;
      if (faults.size >= MAX_FAULTY_ITEMS) refuse({ ...fault, path: [list, String(index), ...fault.path] });
      keep(index, fault);
    }
  }
  yield;
  for (const { path } of alteredNumbers(text, ITEM_LEVELS)) {
    const [name, index, ...within] = path;
    if (name !== list || index === undefined || faults.size >= MAX_FAULTY_ITEMS) refuse({ path, ...ALTERED });
    else keep(Number(index), { path: within, ...ALTERED });
  }
  if (faults.size === 0) return value;
  return { ...value, [list]: items.map((item, index) => faults.get(index) ?? item) };
}

/** A body of bytes, which is read when it is asked for. */
export const bytesOf = (req: IncomingMessage): BytesBody => {
  const length = Number(req.headers['content-length'] ?? NaN);
  return {
    type: req.headers['content-type'],
    length: Number.isSafeInteger(length) ? length : null,
    read: (limit) => readBytes(req, limit),
  };
};

function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) {
        chunks.push(chunk);
        return;
      }
      // The rest is read and discarded, so that the caller, still writing, receives the response.
      chunks.length = 0;
      reject(tooLarge(limit));
    });
    req.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    req.on('close', () => {
      if (req.complete) return;
      reject(
        new Refusal('invalid_json', 'The request body ended before it was complete.', { position: size }),
      );
    });
  });
}

const tooLarge = (limit: number): Refusal =>
  new Refusal('payload_too_large', `The request body is larger than ${limit} bytes. Send less in one call.`, {
    limit_bytes: limit,
  });
