/** Classifies a provider's answer in the operation's terms: by error code, never by HTTP status (spec §7). */
import type { AttemptOutcome } from '../../domain/operation/decide.js';
import { classifyProviderError, type ProviderErrorScope } from '../../domain/policies/provider-errors.js';
import type { ProviderError, SendOutcome } from '../../ports/provider.js';

export interface ClassifiedOutcome {
  readonly outcome: AttemptOutcome;
  /** The scope that has to slow down besides this message, and until when (epoch milliseconds). */
  readonly hold: { readonly scope: ProviderErrorScope; readonly until: number } | null;
  readonly providerError: {
    readonly code: number;
    readonly title: string;
    readonly details: string | null;
  } | null;
}

const NOT_SENT = { baseSeconds: 1, factor: 2, maxSeconds: 60 };

export function readOutcome(
  outcome: SendOutcome,
  attempt: number,
  now: number,
  reconcileWindowMs: number,
): ClassifiedOutcome {
  switch (outcome.kind) {
    case 'accepted':
      return {
        outcome: { kind: 'accepted', providerMessageId: outcome.messageId, held: outcome.held },
        hold: null,
        providerError: null,
      };
    case 'not_sent': {
      const until = now + delayMs(NOT_SENT, attempt);
      return {
        outcome: {
          kind: 'postponed',
          reason: 'provider_unreachable',
          providerCode: null,
          retryAt: new Date(until).toISOString(),
        },
        hold: { scope: 'app', until },
        providerError: null,
      };
    }
    case 'unknown':
      return {
        outcome: {
          kind: 'unknown',
          reason: outcome.reason,
          reconcileUntil: new Date(now + reconcileWindowMs).toISOString(),
        },
        hold: null,
        providerError: null,
      };
    case 'rejected':
      return rejected(outcome.error, attempt, now);
    default:
      return outcome satisfies never;
  }
}

function rejected(error: ProviderError, attempt: number, now: number): ClassifiedOutcome {
  const policy = classifyProviderError(error.code);
  const providerError = { code: error.code, title: error.title, details: error.details };
  const { backoff } = policy;
  if (backoff && (backoff.maxAttempts === null || attempt < backoff.maxAttempts)) {
    const wait = Math.max(delayMs(backoff, attempt), (error.retryAfterSeconds ?? 0) * 1000);
    return {
      outcome: {
        kind: 'postponed',
        reason: `provider_${policy.class}`,
        providerCode: error.code,
        ...(error.traceId === null ? {} : { providerTraceId: error.traceId }),
        retryAt: new Date(now + wait).toISOString(),
      },
      hold: { scope: policy.scope, until: now + wait },
      providerError,
    };
  }
  return {
    outcome: {
      kind: 'failed',
      code: policy.operationCode,
      message: sentence(policy.operationCode, error),
      details: {
        provider: { code: error.code, title: error.title, trace_id: error.traceId, details: error.details },
        ...(policy.blockedSeconds === null ? {} : { retry_after_seconds: policy.blockedSeconds }),
      },
    },
    hold: null,
    providerError,
  };
}

function delayMs(
  backoff: { readonly baseSeconds: number; readonly factor: number; readonly maxSeconds: number },
  attempt: number,
): number {
  return Math.min(backoff.maxSeconds, backoff.baseSeconds * backoff.factor ** (attempt - 1)) * 1000;
}

const SENTENCES: Readonly<Record<string, string>> = {
  service_window_closed:
    'More than 24 hours have passed since the recipient last wrote: only a template can be sent now.',
  recipient_unreachable: 'WhatsApp can not deliver to this recipient.',
  recipient_opted_out: 'The recipient does not accept marketing messages from this business.',
  recipient_marketing_limit_reached: 'WhatsApp limits marketing to this recipient for now.',
  template_quality_blocked: 'WhatsApp has paused this template for its quality.',
  template_sends_disabled: 'WhatsApp has disabled this template.',
  template_not_approved: 'WhatsApp has no approved version of this template in this language.',
  channel_not_connected: 'WhatsApp does not let this channel send: check its access token and account.',
  provider_unavailable: 'WhatsApp could not take the message, also after several tries.',
};

function sentence(code: string, error: ProviderError): string {
  // Graph puts the code before its own wording.
  return (
    SENTENCES[code] ??
    `WhatsApp refused the message: ${error.title.replace(/^\(#\d+\) /, '')} (${error.code}).`
  );
}
