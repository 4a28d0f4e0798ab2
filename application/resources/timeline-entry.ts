/** One entry of a message's timeline, as the contract shows it. */
type Details = Readonly<Record<string, unknown>>;

interface Reason {
  readonly code: string;
  readonly message: string;
  readonly details: Details;
}

/** `at` is when it was recorded here; `provider_at` is WhatsApp's time. ISO 8601. */
export type TimelineEntry = { readonly at: string } & (
  | { readonly kind: 'accepted'; readonly by: 'api' | 'flow'; readonly deadline: string }
  | {
      readonly kind: 'gates';
      readonly stage: 'acceptance' | 'dispatch';
      /** Codes with which these gates would have refused. */
      readonly passed: readonly string[];
      readonly refused: Reason | null;
    }
  | {
      readonly kind: 'wait';
      readonly reason: string;
      readonly until: string | null;
      readonly details: Details;
    }
  | { readonly kind: 'released'; readonly deadline: string }
  | {
      readonly kind: 'attempt';
      readonly number: number;
      readonly result: AttemptResult;
      /** When the result was known; null while it is not. */
      readonly ended_at: string | null;
      readonly provider_code: number | null;
      readonly trace_id: string | null;
    }
  | ({ readonly kind: 'failed' } & Reason)
  | {
      readonly kind: 'status';
      readonly status: string;
      /** Null where the call itself was answered. */
      readonly provider_at: string | null;
      readonly error: Reason | null;
    }
  | {
      readonly kind: 'recorded' | 'edited' | 'deleted';
      readonly provider_at: string | null;
    }
  | {
      readonly kind: 'delivery';
      readonly delivery_id: string;
      readonly endpoint_uuid: string;
      readonly event_id: string;
      readonly event_type: string;
      readonly status: string;
      readonly attempts: number;
      readonly last_status: number | null;
      readonly last_error: string | null;
      readonly updated_at: string;
    }
);

/** `not_reached`: WhatsApp was not called, or the call did not arrive. `unknown`: the answer was lost. */
export type AttemptResult = 'accepted' | 'refused' | 'not_reached' | 'unknown' | 'under_way';
