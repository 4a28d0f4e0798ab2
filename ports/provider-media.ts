/** Files that people send: told by id, fetched in two steps, since the address that WhatsApp gives lives minutes. */
import type { ChannelCredentials } from './provider.js';

export interface MediaDescription {
  /** Good for five minutes; asking again gives a new one, for seven days after the message. */
  readonly url: string;
  readonly mimeType: string | null;
  /** As sent: hex or base64. */
  readonly sha256: string | null;
  /** Bytes. */
  readonly size: number | null;
}

export interface DownloadedMedia {
  readonly bytes: Buffer;
  /** Of the answer; null when it named none. */
  readonly contentType: string | null;
}

export type MediaFault =
  /** WhatsApp does not know the id or the address, or no longer. */
  | 'gone'
  | 'too_large'
  /** WhatsApp answered that it will not: token, permission. */
  | 'refused'
  /** The address is none that a token may be sent to. */
  | 'unsafe_url'
  /** No usable answer in time. */
  | 'unavailable';

export type MediaRead<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly fault: MediaFault;
      /** For operators; holds no address, token or personal data. */
      readonly reason: string;
      readonly retryAfterSeconds: number | null;
    };

/** Never throws, never repeats a call by itself. */
export interface ProviderMedia {
  describe(credentials: ChannelCredentials, mediaId: string): Promise<MediaRead<MediaDescription>>;
  /** Gives up as soon as more than `maxBytes` have come. */
  download(
    credentials: ChannelCredentials,
    url: string,
    options: { readonly maxBytes: number; readonly expectedBytes: number | null },
  ): Promise<MediaRead<DownloadedMedia>>;
  close(): Promise<void>;
}
