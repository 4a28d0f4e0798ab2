/** The files of the sandbox: those that tests add, and a sample for every other message with a file. */
import { createHash } from 'node:crypto';
import { isObject } from '../domain/kernel/json.js';
import { sampleFile } from './media-samples.js';

type Node = Readonly<Record<string, unknown>>;

/**
 * Faults of a file, each for one request: the first three apply to requests by id, the others to requests at its
 * address.
 */
export const MEDIA_FAULTS = [
  'unknown',
  'unauthorized',
  'unavailable',
  'expired',
  'slow',
  'cut',
  'corrupt',
  'empty',
  'html',
  'endless',
  'moved',
  'elsewhere',
] as const;
export type MediaFault = (typeof MEDIA_FAULTS)[number];

const BY_ID: ReadonlySet<MediaFault> = new Set(['unknown', 'unauthorized', 'unavailable']);

export interface SandboxFile {
  readonly id: string;
  readonly mimeType: string;
  /** Base64, as in webhooks. */
  readonly sha256: string;
  readonly size: number;
}

export interface SandboxMedia {
  /** Adds a file that a person can send; `size` and `sha256` are the values reported for it, which may be wrong. */
  put(file: {
    readonly bytes: Uint8Array;
    readonly mimeType: string;
    readonly id?: string;
    readonly sha256?: string;
    readonly size?: number;
  }): SandboxFile;
  /**
   * Lets the next requests for the file fail, in this order; with `for: 'ever'`, all requests fail with the first
   * fault.
   */
  script(id: string, faults: readonly MediaFault[], options?: { readonly for?: 'ever' }): void;
  /** Number of requests so far. */
  asked(id: string): { readonly byId: number; readonly byAddress: number };
  /** Tokens that were sent to an address without a file, after the fault `elsewhere`. A correct client sends none. */
  readonly strayTokens: readonly string[];
}

export interface KeptFile extends SandboxFile {
  readonly bytes: Uint8Array;
  readonly faults: MediaFault[];
  always: MediaFault | null;
  byId: number;
  byAddress: number;
}

export interface MediaFiles extends Pick<SandboxMedia, 'put' | 'script' | 'asked'> {
  get(id: string): KeptFile | undefined;
  remove(id: string): void;
  /** The message as in its webhook, with a sample file unless its file is known. */
  announce<T extends Node & { readonly type: string }>(message: T): T;
}

const TYPES: readonly string[] = ['image', 'audio', 'video', 'document', 'sticker'];

export function createMediaFiles(): MediaFiles {
  const files = new Map<string, KeptFile>();
  let ids = 0;

  const put: SandboxMedia['put'] = ({ bytes, mimeType, id, sha256, size }) => {
    const known = id === undefined ? undefined : files.get(id);
    const file: KeptFile = {
      id: id ?? String(1_000_000_000_000_000 + (ids += 1)),
      mimeType,
      sha256: sha256 ?? createHash('sha256').update(bytes).digest('base64'),
      size: size ?? bytes.length,
      bytes,
      faults: known?.faults ?? [],
      always: known?.always ?? null,
      byId: known?.byId ?? 0,
      byAddress: known?.byAddress ?? 0,
    };
    files.set(file.id, file);
    return told(file);
  };

  return {
    put,
    get: (id) => files.get(id),
    remove: (id) => void files.delete(id),
    script(id, faults, forHowLong) {
      const file = files.get(id);
      if (file === undefined) throw new Error(`the sandbox has no file ${id}`);
      if (forHowLong?.for === 'ever') file.always = faults[0] ?? null;
      else file.faults.push(...faults);
    },
    asked: (id) => ({ byId: files.get(id)?.byId ?? 0, byAddress: files.get(id)?.byAddress ?? 0 }),
    announce(message) {
      const { type } = message;
      const node = message[type];
      if (!TYPES.includes(type) || !isObject(node) || typeof node['id'] !== 'string') return message;
      const { id } = node;
      const sample = sampleFile(type);
      const mimeType = typeof node['mime_type'] === 'string' ? node['mime_type'] : sample.mimeType;
      // A hash derived from the id means "any file"; another hash is reported as given, even if it is wrong.
      const stands = createHash('sha256').update(id).digest('base64');
      const own = node['sha256'] !== undefined && node['sha256'] !== stands;
      const known = files.get(id);
      const fits = known !== undefined && (own || known.mimeType === mimeType);
      const file = fits ? known : put({ bytes: sample.bytes, mimeType, id });
      return {
        ...message,
        [type]: { ...node, mime_type: mimeType, sha256: own ? node['sha256'] : file.sha256 },
      };
    },
  };
}

const told = ({ id, mimeType, sha256, size }: KeptFile): SandboxFile => ({ id, mimeType, sha256, size });

/** The fault of the next request, by id or at the file's address; it is used up. */
export function takeFault(file: KeptFile, byId: boolean): MediaFault | null {
  if (file.always !== null) return BY_ID.has(file.always) === byId ? file.always : null;
  const [fault] = file.faults;
  if (fault === undefined || BY_ID.has(fault) !== byId) return null;
  file.faults.shift();
  return fault;
}
