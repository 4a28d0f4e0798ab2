/** Images at addresses that a third party chose. Private and special-purpose addresses are refused at connect time. */
export interface ImageRequest {
  readonly url: string;
  /** Validators from an earlier response, so that the source sends the image only if it has changed. */
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
      /**
       * For the log. It must not reach the person who gave the address, who could map our network with it. Contains no
       * address.
       */
      readonly reason: string;
      /** The host did not answer (in time), so other addresses on the same host will probably fail too. */
      readonly unreachable: boolean;
    };

/** Never throws, never repeats a request by itself. */
export interface ImageFetcher {
  fetch(request: ImageRequest): Promise<ImageFetch>;
  close(): Promise<void>;
}
