/**
 * Files that people send. Webhooks carry only an id, and fetching takes two steps: the URL that WhatsApp gives for the
 * id is valid for minutes.
 */
import type { ChannelCredentials } from './provider.js';

export interface MediaDescription {
  /** Valid for five minutes. Describing the media again gives a new URL, up to seven days after the message. */
  readonly url: string;
  readonly mimeType: string | null;
  /** As sent: hex or base64. */
  readonly sha256: string | null;
  /** Bytes. */
  readonly size: number | null;
}

export interface DownloadedMedia {
  readonly bytes: Buffer;
  /** From the response; null when it named none. */
  readonly contentType: string | null;
}

export type MediaFault =
  /** WhatsApp does not know the id or the address, or does not know it any more. */
  | 'gone'
  | 'too_large'
  /** WhatsApp refused: token, permission. */
  | 'refused'
  /** The token must not be sent to this address. */
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
  /** Stops as soon as more than `maxBytes` have arrived. */
  download(
    credentials: ChannelCredentials,
    url: string,
    options: { readonly maxBytes: number; readonly expectedBytes: number | null },
  ): Promise<MediaRead<DownloadedMedia>>;
  close(): Promise<void>;
}
