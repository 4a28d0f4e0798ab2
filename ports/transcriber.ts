/** Speech to text. */
export interface Transcript {
  readonly text: string;
  /** As configured. */
  readonly model: string;
}

export type TranscriptionResult =
  | { readonly ok: true; readonly value: Transcript }
  | {
      readonly ok: false;
      /** A retry with the same audio would be refused again. */
      readonly final: boolean;
      /** For operators; contains nothing of the spoken text. */
      readonly reason: string;
      readonly retryAfterSeconds: number | null;
    };

/** Never throws, never repeats a call by itself. */
export interface Transcriber {
  transcribe(audio: {
    readonly bytes: Uint8Array;
    /** Its extension gives the format. */
    readonly filename: string;
    readonly mimeType: string;
  }): Promise<TranscriptionResult>;
  close(): Promise<void>;
}
