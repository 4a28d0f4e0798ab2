/** Files that are handed to WhatsApp before a message that shows them is sent. */
import type { ChannelCredentials, ProviderRead } from './provider.js';

export interface UploadedFile {
  /** The provider's id; messages of the same number can name it for 30 days. */
  readonly id: string;
}

/** Never throws, never repeats a call by itself. */
export interface ProviderUploads {
  upload(
    credentials: ChannelCredentials,
    file: { readonly bytes: Buffer; readonly mimeType: string },
  ): Promise<ProviderRead<UploadedFile>>;
  close(): Promise<void>;
}
