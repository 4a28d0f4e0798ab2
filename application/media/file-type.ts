/**
 * The content type that a file is served with. The sender chose both the bytes and their declared type. So a browser is
 * given a type only where the bytes prove it, and only types that it cannot execute.
 */

const UNKNOWN = 'application/octet-stream';

const at = (bytes: Uint8Array, offset: number, text: string): boolean =>
  Buffer.from(bytes.subarray(offset, offset + text.length)).toString('latin1') === text;

/** Leading bytes that prove a type. */
const PROOFS: Readonly<Record<string, (bytes: Uint8Array) => boolean>> = {
  'image/jpeg': (b) => at(b, 0, '\xff\xd8\xff'),
  'image/png': (b) => at(b, 0, '\x89PNG\r\n\x1a\n'),
  'image/gif': (b) => at(b, 0, 'GIF87a') || at(b, 0, 'GIF89a'),
  'image/webp': (b) => at(b, 0, 'RIFF') && at(b, 8, 'WEBP'),
  'video/3gpp': (b) => at(b, 4, 'ftyp3g'),
  'video/mp4': (b) => at(b, 4, 'ftyp'),
  'audio/ogg': (b) => at(b, 0, 'OggS'),
  'audio/amr': (b) => at(b, 0, '#!AMR'),
  'audio/mpeg': (b) => at(b, 0, 'ID3') || (b[0] === 0xff && ((b[1] ?? 0) & 0xe6) === 0xe2),
  'audio/aac': (b) => b[0] === 0xff && ((b[1] ?? 0) & 0xf6) === 0xf0,
  'audio/mp4': (b) => at(b, 4, 'ftyp'),
  'application/pdf': (b) => at(b, 0, '%PDF-'),
  'application/zip': (b) => at(b, 0, 'PK\x03\x04'),
};

const ZIPPED = /^application\/vnd\.openxmlformats-officedocument\.[a-z.]+$/;

const KINDS: Readonly<Record<string, readonly string[]>> = {
  image: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  sticker: ['image/webp', 'image/png'],
  video: ['video/3gpp', 'video/mp4'],
  audio: ['audio/ogg', 'audio/amr', 'audio/aac', 'audio/mpeg', 'audio/mp4'],
  document: ['application/pdf', 'image/jpeg', 'image/png', 'image/gif', 'image/webp', 'application/zip'],
};

/** Types that may be displayed inline; everything else is offered as a download. */
const SHOWN = /^(image|audio|video)\//;

/** @param declared as WhatsApp sent it, including parameters */
export function servedType(kind: string, declared: string | null, bytes: Uint8Array): string {
  const named = baseType(declared);
  const candidates = KINDS[kind] ?? [];
  // The declared type is tried first where two types have the same leading bytes.
  const ordered = named !== null && candidates.includes(named) ? [named, ...candidates] : candidates;
  const proven = ordered.find((type) => PROOFS[type]?.(bytes));
  if (kind === 'document' && named !== null && proven === 'application/zip' && ZIPPED.test(named))
    return named;
  return proven ?? UNKNOWN;
}

export const baseType = (declared: string | null): string | null =>
  declared?.replace(/;.*/s, '').trim().toLowerCase() || null;

export const dispositionOf = (servedAs: string): 'inline' | 'attachment' =>
  SHOWN.test(servedAs) ? 'inline' : 'attachment';

const ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'video/3gpp': '3gp',
  'video/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/amr': 'amr',
  'audio/aac': 'aac',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
};

/** `image.jpg`: a name for a file without one. */
export const plainName = (kind: string, servedAs: string): string => `${kind}.${ENDINGS[servedAs] ?? 'bin'}`;

const MAX_NAME = 150;

/**
 * The sender's file name without anything harmful to a file system, a header or a reader: folders, control characters,
 * direction overrides, leading dots. Null when nothing is left.
 */
export function safeName(name: string | null): string | null {
  if (name === null) return null;
  const last = name.replaceAll('\\', '/').split('/').pop() ?? '';
  // Half a surrogate pair becomes U+FFFD, which is removed as well.
  const clean = Buffer.from(last)
    .toString()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"<>|:*?\ufffd]/gu, '')
    .replace(/^[.\s]+/, '')
    .trim();
  if (clean.length <= MAX_NAME) return clean === '' ? null : clean;
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(clean)?.[0] ?? '';
  return `${[...clean].slice(0, MAX_NAME - ending.length).join('')}${ending}`;
}
