/**
 * The one door to addresses that somebody else chose (webhook endpoints, what flows call). It refuses private
 * and special-purpose addresses at connect time, and follows no redirect.
 */
export interface HttpAttempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** One deadline over DNS, connect, TLS, headers and body. */
  readonly timeoutMs: number;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpRequest extends Omit<HttpAttempt, 'body'> {
  readonly method: HttpMethod;
  readonly body: Uint8Array | null;
  /** How much of the answer's body is kept; left out, what is worth keeping in a log. */
  readonly keepBytes?: number;
}

export type HttpFailure =
  'blocked_address' | 'invalid_url' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

export type HttpResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Cut to what is to be kept of it. */
      readonly bodyText: string;
      /** The rest of the answer did not come: the connection was lost, or the time was up. */
      readonly brokeOff?: true;
      readonly durationMs: number;
      readonly address: string | null;
    }
  | {
      readonly kind: 'failed';
      readonly failure: HttpFailure;
      readonly message: string;
      readonly durationMs: number;
      readonly address: string | null;
    };

export interface HttpSender {
  post(attempt: HttpAttempt): Promise<HttpResult>;
  /** Sends once; whatever comes of it is an answer or a class of failure, never an exception. */
  request(request: HttpRequest): Promise<HttpResult>;
  /**
   * Says whether an address may be configured at all, without connecting. Null when it may, else why not.
   * `encrypted`: plain http is refused too, unless addresses of the own network may be called.
   */
  refusal(url: string, demands?: { readonly encrypted: boolean }): string | null;
  close(): Promise<void>;
}
