/** What WhatsApp takes as a file of a message, by kind ("Media", WhatsApp Cloud API). */
import { Refusal } from '../../domain/kernel/refusal.js';
import { baseType, servedType } from './file-type.js';

export const SENDABLE = ['image', 'video', 'audio', 'document'] as const;
export type SendableKind = (typeof SENDABLE)[number];

const MiB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

interface Limits {
  readonly maxBytes: number;
  readonly types: readonly string[];
}

export const LIMITS: Readonly<Record<SendableKind, Limits>> = {
  image: { maxBytes: 5 * MiB, types: ['image/jpeg', 'image/png'] },
  video: { maxBytes: 16 * MiB, types: ['video/mp4', 'video/3gpp'] },
  audio: {
    maxBytes: 16 * MiB,
    types: ['audio/ogg', 'audio/mpeg', 'audio/mp4', 'audio/aac', 'audio/amr'],
  },
  document: {
    maxBytes: 100 * MiB,
    types: [
      'application/pdf',
      'text/plain',
      'text/csv',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
      'application/zip',
    ],
  },
};

/** @throws Refusal unsupported_media_type */
export function sendableType(kind: SendableKind, contentType: string | undefined): string {
  const type = baseType(contentType ?? null);
  const { types } = LIMITS[kind];
  if (type !== null && types.includes(type)) return type;
  throw new Refusal(
    'unsupported_media_type',
    `WhatsApp does not take this as ${kind}. It takes ${types.join(', ')}.`,
    { received: contentType?.slice(0, 100) ?? null, supported: types },
  );
}

/** @throws Refusal payload_too_large */
export function refuseTooLarge(kind: SendableKind, size: number): void {
  const { maxBytes } = LIMITS[kind];
  if (size <= maxBytes) return;
  throw new Refusal(
    'payload_too_large',
    `The file is larger than ${maxBytes} bytes, which is WhatsApp's limit for ${kind}.`,
    { limit_bytes: maxBytes },
  );
}

/**
 * WhatsApp reports a file of another type only after the message was accepted, so it is refused here.
 * @throws Refusal validation_failed
 */
export function refuseOtherBytes(kind: SendableKind, type: string, bytes: Buffer): void {
  const problem =
    bytes.length === 0
      ? 'is empty.'
      : kind !== 'document' && servedType(kind, type, bytes) !== type
        ? `does not begin like a file of the type ${type}.`
        : null;
  if (problem === null) return;
  throw new Refusal('validation_failed', `The file ${problem}`, {
    fields: [{ path: 'body', code: 'file_invalid', message: problem }],
  });
}
