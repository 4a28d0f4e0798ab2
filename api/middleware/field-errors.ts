/**
 * Rewords the findings of the request validator for the author of the request: one entry for each wrong field, named as
 * in the request.
 */
import { Refusal } from '../../domain/kernel/refusal.js';

export interface FieldError {
  /** `recipient.phone` in the body; `query.limit`, `header.Idempotency-Key`, `path.name` elsewhere. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

/** As express-openapi-validator returns it. */
export interface ValidatorItem {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string;
}

/** A longer list would help no caller. */
const MAX_FIELDS = 50;
const MAX_PATH = 512;

/** Rules that only repeat that one of their branches failed. */
const NOISE = new Set(['if', 'allOf', 'not']);
const CODES: Readonly<Record<string, string>> = {
  additionalProperties: 'unknown_field',
  unevaluatedProperties: 'unknown_field',
  minLength: 'min_length',
  maxLength: 'max_length',
  minItems: 'min_items',
  maxItems: 'max_items',
  uniqueItems: 'unique_items',
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
  minProperties: 'min_properties',
  maxProperties: 'max_properties',
  multipleOf: 'multiple_of',
  anyOf: 'no_variant',
  oneOf: 'no_variant',
};

/** `['a', '0', 'b']` to `a[0].b`. */
export function fieldPath(segments: readonly string[]): string {
  let path = '';
  for (const segment of segments) {
    if (/^\d+$/.test(segment)) path += `[${segment}]`;
    else path += path === '' ? segment : `.${segment}`;
  }
  return path.slice(0, MAX_PATH);
}

export interface FieldErrors {
  /** The first MAX_FIELDS. */
  readonly fields: readonly FieldError[];
  /** The number of all faulty fields. */
  readonly total: number;
}

/** @param headerNames the contract's spelling of each header, by lower-case name */
export function toFieldErrors(
  items: readonly ValidatorItem[],
  headerNames: ReadonlyMap<string, string>,
): FieldErrors {
  const found = new Map<string, FieldError>();
  for (const item of items) {
    const rule = item.errorCode?.split('.')[0] ?? 'unknown';
    if (NOISE.has(rule)) continue;
    const path = readPath(item.path, headerNames);
    // The validator reports a parameter unknown to the contract without a rule.
    const code = item.errorCode === undefined ? parameterCode(item.message) : (CODES[rule] ?? rule);
    const key = `${path} ${code}`;
    if (!found.has(key)) found.set(key, { path, code, message: sentence(path, code, item.message) });
  }
  const fields = withoutFormatNoise(withoutVariantNoise([...found.values()]));
  return { fields: fields.slice(0, MAX_FIELDS), total: fields.length };
}

/**
 * @returns a refusal with the first wrong fields in its message and all given fields in its details
 * @param total number of wrong fields; null when there may be more than were checked
 */
export function validationFailed(
  fields: readonly FieldError[],
  total: number | null = fields.length,
): Refusal {
  const shown = fields.slice(0, 3).map(({ path, message }) => `${path} ${message.replace(/\.$/, '')}`);
  const others = (total ?? fields.length) - shown.length;
  const more = others > 0 ? `; and ${total === null ? 'at least ' : ''}${others} more` : '';
  const further = total === null ? ' Not all of so long a body was checked.' : '';
  return new Refusal(
    'validation_failed',
    `The request is not valid: ${shown.join('; ')}${more}.${further}`.slice(0, 2000),
    { fields, ...(total === fields.length ? {} : { total }) },
  );
}

function readPath(pointer: string, headerNames: ReadonlyMap<string, string>): string {
  const [place, ...rest] = pointer
    .replace(/^[./]/, '')
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  switch (place) {
    case 'body':
      return fieldPath(rest) || 'body';
    case 'headers': {
      const name = rest.join('/').toLowerCase();
      return `header.${headerNames.get(name) ?? name}`;
    }
    case 'params':
      return `path.${fieldPath(rest)}`;
    default:
      return `${place ?? 'query'}.${fieldPath(rest)}`.slice(0, MAX_PATH);
  }
}

const parameterCode = (message: string): string =>
  message.startsWith('Empty') ? 'empty' : 'unknown_parameter';

/** What a format asks for, in words: its name alone helps nobody who wrote the value. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be a time, such as 2026-11-20T14:00:00Z.',
  email: 'must be an e-mail address in ASCII, such as ana@example.com.',
  uuid: 'must be a UUID.',
  int32: 'must be a whole number.',
  int64: 'must be a whole number.',
  uri: 'must be an absolute address, such as https://example.com/a.',
};

function sentence(path: string, code: string, message: string): string {
  const number = /-?\d+(?:\.\d+)?/.exec(message)?.[0] ?? '';
  switch (code) {
    case 'required':
      return 'is required.';
    case 'unknown_field':
      return 'is not a known field. Remove it or check its spelling.';
    case 'unknown_parameter':
      return 'is not a known parameter. Remove it or check its spelling.';
    case 'empty':
      return 'must not be empty. Leave the parameter out instead.';
    case 'min_length':
      return number === '1' ? 'must not be empty.' : `must have at least ${number} characters.`;
    case 'max_length':
      return `must have at most ${number} characters.`;
    case 'min_items':
      return number === '1' ? 'must not be empty.' : `must have at least ${number} items.`;
    case 'max_items':
      return `must have at most ${number} items.`;
    case 'unique_items':
      return 'must not name the same value twice.';
    case 'min_properties':
      return `must have at least ${number} ${number === '1' ? 'field' : 'fields'}.`;
    case 'max_properties':
      return `must have at most ${number} fields.`;
    case 'minimum':
      return `must be at least ${number}.`;
    case 'maximum':
      return `must be at most ${number}.`;
    case 'type':
      return `${message.replaceAll(',', ' or ')}.`;
    case 'enum':
      return `must be one of ${allowedValues(message)}.`;
    case 'format': {
      const name = /"([^"]*)"/.exec(message)?.[1] ?? '';
      return FORMATS[name] ?? `must have the format "${name}".`;
    }
    case 'pattern':
      // The pattern is that of RFC 9110, which nobody reads to learn that quotes are missing.
      if (path === 'header.If-Match')
        return 'must be a version in double quotes, such as "7", a list of them, or *.';
      return `${message}.`;
    default:
      return `${message}.`;
  }
}

/** The validator joins the values with commas, and null to nothing. */
const allowedValues = (message: string): string =>
  message
    .replace(/^.*allowed values: /, '')
    .split(', ')
    .map((value) => (value === '' ? 'null' : value))
    .join(', ');

/** A value of another type also fails the format, which says nothing more. */
function withoutFormatNoise(fields: readonly FieldError[]): readonly FieldError[] {
  const typed = new Set(fields.filter(({ code }) => code === 'type').map(({ path }) => path));
  return fields.filter(({ path, code }) => code !== 'format' || !typed.has(path));
}

/** "fits none of the variants" adds nothing when a more exact reason for the same field, or inside it, is listed. */
function withoutVariantNoise(fields: readonly FieldError[]): readonly FieldError[] {
  const explained = new Set<string>();
  for (const { path, code } of fields)
    if (code !== 'no_variant') for (const one of around(path)) explained.add(one);
  return fields.filter(({ path, code }) => code !== 'no_variant' || !explained.has(path));
}

/** A field and all fields that contain it: `a`, `a[0]` and `a[0].b`. */
const around = (path: string): readonly string[] => [
  path,
  ...[...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
];
