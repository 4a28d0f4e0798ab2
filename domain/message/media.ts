/** The file of a message: an image, a voice note, a document (spec §2, Message). */

const MEDIA_TYPES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);

/** Whether messages of this `type` carry a file. */
export const isMediaType = (type: unknown): boolean => typeof type === 'string' && MEDIA_TYPES.has(type);

/** Where the stored bytes are. */
export interface StoredMedia {
  /** Name of the blob: lower-case hex SHA-256 of the stored bytes, which are sealed. */
  readonly blob: string;
  /** Generation of the person's key that seals the bytes. */
  readonly keyId: string;
  /** Size of the file itself, in bytes. */
  readonly size: number;
  /** The type under which the file is served. */
  readonly mimeType: string;
  /** Lower-case hex SHA-256 of the file itself. Null once the person was erased: the bytes can't be opened any more. */
  readonly sha256: string | null;
}

export interface MessageMedia {
  /** The provider's id of the file. */
  readonly id: string;
  readonly kind: string;
  readonly status: 'pending' | 'stored' | 'failed';
  /** The provider's description of the file, before it was downloaded. */
  readonly declared: {
    readonly mimeType: string | null;
    /** Base64. */
    readonly sha256: string | null;
    readonly filename: string | null;
  };
  readonly stored: StoredMedia | null;
}

/** Null for messages without a file, and for messages whose content was erased. */
export function mediaOf(
  type: unknown,
  content: Readonly<Record<string, unknown>> | null | undefined,
): MessageMedia | null {
  const id = content?.['media_id'];
  if (!isMediaType(type) || typeof id !== 'string') return null;
  return {
    id,
    kind: String(type),
    status: 'pending',
    declared: {
      mimeType: text(content?.['mime_type']),
      sha256: text(content?.['sha256']),
      filename: text(content?.['filename']),
    },
    stored: null,
  };
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
