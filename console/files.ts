/** Files that somebody attaches: what WhatsApp takes, and how a picture is made fit for it. */
export type FileKind = 'image' | 'video' | 'audio' | 'document';

export interface Attachment {
  readonly kind: FileKind;
  readonly type: string;
  readonly name: string;
  readonly bytes: Blob;
}

/** Why a file can't be attached; the names are those of the texts. */
export class NotAttachable extends Error {
  constructor(
    readonly reason: 'type' | 'size' | 'empty' | 'picture',
    readonly limit: number = 0,
  ) {
    super(reason);
  }
}

const MiB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** As the server has them (application/media/sendable.ts), which refuses everything else. */
export const LIMITS: Readonly<Record<FileKind, number>> = {
  image: 5 * MiB,
  video: 16 * MiB,
  audio: 16 * MiB,
  document: 100 * MiB,
};
const KINDS: Readonly<Record<string, FileKind>> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'video/mp4': 'video',
  'video/3gpp': 'video',
  'audio/ogg': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'application/pdf': 'document',
  'text/plain': 'document',
  'text/csv': 'document',
  'application/zip': 'document',
  'application/msword': 'document',
  'application/vnd.ms-excel': 'document',
  'application/vnd.ms-powerpoint': 'document',
  [`${OFFICE}.wordprocessingml.document`]: 'document',
  [`${OFFICE}.spreadsheetml.sheet`]: 'document',
  [`${OFFICE}.presentationml.presentation`]: 'document',
};
/** Names that browsers give to types above. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/mp3': 'audio/mpeg',
  'application/x-zip-compressed': 'application/zip',
};

export const ACCEPTED = [...Object.keys(KINDS), 'image/*', ...Object.keys(OTHER_NAMES)].join();

/** A larger side is made smaller: WhatsApp does so too. */
export const MAX_SIDE = 2560;
const QUALITY = 0.88;

/** @throws NotAttachable */
export async function attachmentOf(file: File): Promise<Attachment> {
  if (file.size === 0) throw new NotAttachable('empty');
  const type = OTHER_NAMES[file.type] ?? file.type;
  const kind = KINDS[type];
  if (kind !== undefined && file.size <= LIMITS[kind]) return { kind, type, name: file.name, bytes: file };
  // What WhatsApp does not take as a picture, or is too large, is drawn anew.
  if (type.startsWith('image/'))
    return { kind: 'image', type: 'image/jpeg', name: file.name, bytes: await readAndDrawn(file) };
  throw kind === undefined ? new NotAttachable('type') : new NotAttachable('size', LIMITS[kind]);
}

async function readAndDrawn(file: Blob): Promise<Blob> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new NotAttachable('picture');
  });
  return drawnAnew(picture);
}

/** As a JPEG, no larger than `MAX_SIDE`; what shines through becomes white. @throws NotAttachable */
export async function drawnAnew(picture: ImageBitmap): Promise<Blob> {
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = drawn(picture, picture.width * scale, picture.height * scale);
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY));
  if (bytes === null) throw new NotAttachable('picture');
  return bytes;
}

/** A picture on a canvas: the policy of the page allows no address of a local file. */
export function drawn(
  picture: ImageBitmap,
  width: number,
  height: number,
  canvas = document.createElement('canvas'),
): HTMLCanvasElement {
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (context !== null) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

/** Such as `1.2 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, each] = bytes < 1_000_000 ? ['kB', 1000] : ['MB', 1_000_000];
  const amount = bytes / Number(each);
  return `${amount.toFixed(amount < 10 ? 1 : 0)} ${unit}`;
}
