/** Pictures at addresses that somebody else chose. Private and special-purpose addresses are refused at connect time. */
export interface ImageRequest {
  readonly url: string;
  /** What an earlier answer said of itself: the source is asked only for something newer. */
  readonly known?: { readonly etag: string | null; readonly lastModified: string | null };
}

export type ImageFetch =
  | {
      readonly kind: 'fetched';
      readonly bytes: Buffer;
      readonly etag: string | null;
      readonly lastModified: string | null;
    }
  /** Only where `known` was given. */
  | { readonly kind: 'not_modified' }
  | {
      readonly kind: 'failed';
      /** For the log; never for whoever gave the address, who could map our network by it. Holds no address. */
      readonly reason: string;
      /** The host did not answer (in time): others of its addresses will hardly fare better. */
      readonly unreachable: boolean;
    };

/** Never throws, never repeats a request by itself. */
export interface ImageFetcher {
  fetch(request: ImageRequest): Promise<ImageFetch>;
  close(): Promise<void>;
}
