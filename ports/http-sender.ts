/**
 * The only way to call addresses that a third party chose (webhook endpoints, HTTP calls of flows). It refuses private
 * and special-purpose addresses at connect time and follows no redirect.
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
  /** How much of the response body is kept; left out, only as much as is worth logging. */
  readonly keepBytes?: number;
}

export type HttpFailure =
  'blocked_address' | 'invalid_url' | 'dns' | 'connect' | 'tls' | 'timeout' | 'reset' | 'protocol';

export type HttpResult =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** Truncated to the part that is kept. */
      readonly bodyText: string;
      /** The rest of the response did not arrive: the connection was lost or the deadline passed. */
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
  /** Sends once. Every outcome is an answer or a class of failure, never an exception. */
  request(request: HttpRequest): Promise<HttpResult>;
  /**
   * Checks, without connecting, whether an address may be configured at all. Returns null when it may, else the reason.
   * `configured`: somebody is setting the address now. What is surely a mistake in it is refused too, and so is plain
   * http, unless it stays where the deployment allows addresses that are not public.
   */
  refusal(url: string, demands?: { readonly configured: boolean }): string | null;
  close(): Promise<void>;
}
