/** The photos of a product's form: their order, and the upload of those that were added. */
import { useRef, useState } from 'preact/hooks';
import { ApiError, upload, type Schemas } from './api.js';
import { NotAttachable } from './files.js';
import { asApiError } from './load.js';
import { photoOf } from './photos.js';

export const MOST_PHOTOS = 10;
/** The server keeps an upload for an hour, and a form may be open for longer. */
const FRESH_MS = 50 * 60_000;

export interface Photo {
  readonly key: string;
  /** Of the file, or the address. */
  readonly name: string;
  /** Null until it is uploaded. */
  readonly url: string | null;
  /** The bytes that were added here. */
  readonly bytes: Blob | null;
  readonly uploadedAt: number;
  /** From 0 to 1 while it waits or is uploaded; else null. */
  readonly progress: number | null;
  /** Why it was not uploaded, although it may be. */
  readonly error: ApiError | null;
}

export type UploadedPhoto = Photo & { readonly url: string };

export type Reason = 'empty' | 'format' | 'damaged' | 'pixels' | 'size' | 'many' | 'twice';

export interface RefusedPhoto {
  readonly key: string;
  readonly name: string;
  readonly reason: Reason;
}

export interface Photos {
  readonly shown: readonly Photo[];
  /** What was added last and can't become a photo. */
  readonly refused: readonly RefusedPhoto[];
  readonly add: (files: Iterable<File>) => void;
  readonly addAddress: (url: string) => void;
  readonly again: (key: string) => void;
  /** @param by -1: to the left, 1: to the right */
  readonly move: (key: string, by: -1 | 1) => void;
  readonly remove: (key: string) => void;
  /** All in their order, once they are uploaded. @throws ApiError when one can't be */
  readonly uploaded: () => Promise<readonly UploadedPhoto[]>;
}

const photo = (given: Partial<Photo> & Pick<Photo, 'name'>): Photo => ({
  key: crypto.randomUUID(),
  url: null,
  bytes: null,
  uploadedAt: 0,
  progress: null,
  error: null,
  ...given,
});

export function usePhotos(company: string, urls: readonly string[]): Photos {
  const [shown, setShown] = useState<readonly Photo[]>(() => urls.map((url) => photo({ name: url, url })));
  const [refused, setRefused] = useState<readonly RefusedPhoto[]>([]);
  // What an upload finds when it ends, whatever was drawn when it began.
  const latest = useRef(shown);
  const line = useRef(Promise.resolve());

  const set = (next: readonly Photo[]): void => {
    latest.current = next;
    setShown(next);
  };
  const find = (key: string): Photo | undefined => latest.current.find((one) => one.key === key);
  const change = (key: string, to: Partial<Photo>): void =>
    set(latest.current.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const remove = (key: string): void => set(latest.current.filter((one) => one.key !== key));
  const refuse = ({ key, name }: Pick<Photo, 'key' | 'name'>, reason: Reason): void => {
    remove(key);
    setRefused((before) => [...before, { key, name, reason }]);
  };

  async function send(key: string): Promise<void> {
    const one = find(key);
    if (one === undefined || one.bytes === null) return;
    change(key, { progress: 0, error: null });
    try {
      const path = `/companies/${company}/store/images`;
      const { url } = await upload<Schemas['StoreImageUpload']>(path, one.bytes, one.bytes.type, (progress) =>
        change(key, { progress }),
      );
      if (latest.current.some((other) => other.key !== key && other.url === url)) refuse(one, 'twice');
      else change(key, { url, uploadedAt: Date.now(), progress: null });
    } catch (error) {
      const told = asApiError(error);
      const reason = reasonOf(told);
      if (reason === null) change(key, { error: told, progress: null });
      else refuse(one, reason);
    }
  }

  /** One after the other: a phone has little memory and a narrow line. */
  const inTurn = (work: () => Promise<void>): void => {
    line.current = line.current.then(work);
  };

  const take = (one: Photo, file: File) => async (): Promise<void> => {
    if (find(one.key) === undefined) return;
    try {
      change(one.key, { bytes: await photoOf(file) });
    } catch (error) {
      const empty = error instanceof NotAttachable && error.reason === 'empty';
      refuse(one, empty ? 'empty' : 'format');
      return;
    }
    await send(one.key);
  };

  return {
    shown,
    refused,
    add(files) {
      setRefused([]);
      for (const file of files) {
        const one = photo({ name: file.name, progress: 0 });
        if (latest.current.length >= MOST_PHOTOS) {
          refuse(one, 'many');
          continue;
        }
        set([...latest.current, one]);
        inTurn(take(one, file));
      }
    },
    addAddress(url) {
      setRefused([]);
      const one = photo({ name: url, url });
      if (latest.current.some((other) => other.url === url)) refuse(one, 'twice');
      else if (latest.current.length >= MOST_PHOTOS) refuse(one, 'many');
      else set([...latest.current, one]);
    },
    again: (key) => inTurn(() => send(key)),
    move(key, by) {
      const next = [...latest.current];
      const from = next.findIndex((one) => one.key === key);
      const [moved, other] = [next[from], next[from + by]];
      if (moved === undefined || other === undefined) return;
      [next[from], next[from + by]] = [other, moved];
      set(next);
    },
    remove,
    async uploaded() {
      const isOld = ({ bytes, url, uploadedAt }: Photo): boolean =>
        bytes !== null && (url === null || Date.now() - uploadedAt > FRESH_MS);
      inTurn(async () => {
        for (const { key } of latest.current.filter(isOld)) await send(key);
      });
      await line.current;
      return latest.current.map((one) => {
        const { url, error } = one;
        if (url === null || error !== null)
          throw error ?? new ApiError(0, 'unreachable', 'unreachable', null);
        return { ...one, url };
      });
    },
  };
}

/** Null where the same photo may be taken later. */
function reasonOf({ code, details }: ApiError): Reason | null {
  if (code === 'payload_too_large') return 'size';
  if (code !== 'product_image_invalid') return null;
  const { reason } = details;
  return reason === 'empty' || reason === 'pixels' || reason === 'damaged' ? reason : 'format';
}
