import type { Versions } from '../application/precondition.js';

const TAG = /(W\/)?"([^"]*)"/g;
const VERSION = /^[1-9]\d{0,9}$/;

/**
 * What `If-Match` asks for, where the tags are versions (RFC 9110 §13.1.1). Undefined: any version there is. Tags are
 * compared strongly, so a weak one is no version; neither is one that was not made here.
 */
export function versionsOf(header: string | undefined): Versions | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return [...header.matchAll(TAG)].flatMap(([, weak, tag = '']) =>
    weak === undefined && VERSION.test(tag) ? [Number(tag)] : [],
  );
}
