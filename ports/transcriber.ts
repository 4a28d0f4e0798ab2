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
      /** The same audio will be refused again. */
      readonly final: boolean;
      /** For operators; holds nothing of what was said. */
      readonly reason: string;
      readonly retryAfterSeconds: number | null;
    };

/** Never throws, never repeats a call by itself. */
export interface Transcriber {
  transcribe(audio: {
    readonly bytes: Uint8Array;
    /** Tells the format by its ending. */
    readonly filename: string;
    readonly mimeType: string;
  }): Promise<TranscriptionResult>;
  close(): Promise<void>;
}
