/** Conditional requests (RFC 9110 §13): what `If-Match` and `If-None-Match` name. */
import type { Versions } from '../application/precondition.js';

const TAG = /(W\/)?"([^"]*)"/g;
const VERSION = /^[1-9]\d{0,9}$/;

/**
 * The versions in `If-Match`, where tags are versions (RFC 9110 §13.1.1). Undefined: any existing version. Tags are
 * compared strongly, so a weak tag matches no version; neither does a tag that was not created here.
 */
export function versionsOf(header: string | undefined): Versions | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return [...header.matchAll(TAG)].flatMap(([, weak, tag = '']) =>
    weak === undefined && VERSION.test(tag) ? [Number(tag)] : [],
  );
}

/** RFC 9110 §13.1.2: `If-None-Match` is a list of tags, weak or strong, or `*`. */
export const etagMatches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
