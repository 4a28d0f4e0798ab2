import { randomBytes } from 'node:crypto';

/** An error answer of the sandbox; `title` and HTTP status follow from the code. */
export interface GraphFault {
  readonly code: number;
  readonly details: string;
  readonly subcode?: number;
  /** Replaces the code's usual message. */
  readonly message?: string;
}

export const fault = (code: number, details: string, message?: string): GraphFault => ({
  code,
  details,
  ...(message === undefined ? {} : { message }),
});

/** HTTP status and title per code, from Meta's error page. Any other code: 400, "Unknown error". */
const TABLE: Readonly<Record<number, readonly [httpStatus: number, title: string]>> = {
  0: [401, 'AuthException'],
  1: [400, 'API Unknown'],
  2: [503, 'API Service'],
  3: [500, 'API Method'],
  4: [400, 'API Too Many Calls'],
  10: [403, 'API Permission Denied'],
  33: [400, 'Parameter value is not valid'],
  100: [400, 'Invalid parameter'],
  190: [401, 'Access token has expired'],
  200: [403, 'API Permission'],
  368: [403, 'Temporarily blocked for policies violations'],
  80007: [400, 'Rate limit issues'],
  130403: [400, 'User blocked by the business'],
  130429: [400, 'Rate limit hit'],
  130472: [400, "User's number is part of an experiment"],
  130497: [403, 'Business account is restricted from messaging users in this country'],
  131000: [500, 'Something went wrong'],
  131005: [403, 'Access denied'],
  131008: [400, 'Required parameter is missing'],
  131009: [400, 'Parameter value is not valid'],
  131016: [500, 'Service unavailable'],
  131021: [400, 'Recipient cannot be sender'],
  131026: [400, 'Message undeliverable'],
  131031: [403, 'Account has been locked'],
  131037: [400, 'WhatsApp provided number needs display name approval before message can be sent'],
  131042: [400, 'Business eligibility payment issue'],
  131045: [500, 'Incorrect certificate'],
  131047: [400, 'Re-engagement message'],
  131048: [400, 'Spam rate limit hit'],
  131049: [400, 'This message was not delivered to maintain healthy ecosystem engagement'],
  131050: [400, 'User has stopped marketing messages from this business'],
  131051: [400, 'Unsupported message type'],
  131052: [400, 'Media download error'],
  131053: [400, 'Media upload error'],
  131055: [400, 'Method not allowed'],
  131056: [400, '(Business Account, Consumer Account) pair rate limit hit'],
  131057: [500, 'Account in maintenance mode'],
  131062: [400, 'Business-scoped user id recipients are not supported for this message'],
  131063: [400, 'Marketing messages are disabled on this API'],
  131064: [400, 'Messaging limit reduced for template misclassification'],
  132000: [400, 'Number of parameters does not match the expected number of params'],
  132001: [404, 'Template name does not exist in the translation'],
  132005: [400, 'Template hydrated text too long'],
  132007: [400, 'Template format character policy violated'],
  132012: [400, 'Parameter format does not match format in the created template'],
  132015: [400, 'Template is paused'],
  132016: [400, 'Template is disabled'],
  132018: [400, 'There is an issue with the parameters in your template'],
  132068: [400, 'Flow is in blocked state'],
  132069: [400, 'Flow is in throttled state'],
  133004: [503, 'Server temporarily unavailable'],
  133010: [400, 'Phone number not registered'],
  133015: [400, 'Please wait a few minutes before attempting to register this phone number'],
  134011: [400, 'Payments terms of service not accepted'],
  134102: [500, 'Template unavailable for sending'],
  135000: [400, 'Generic user error'],
};

const entry = (code: number): readonly [number, string] => {
  if (TABLE[code] !== undefined) return TABLE[code];
  return code >= 200 && code <= 299 ? [403, 'API Permission'] : [400, 'Unknown error'];
};

/** Body and status of an HTTP response. */
export function graphErrorResponse(problem: GraphFault): { status: number; body: Record<string, unknown> } {
  const [status, title] = entry(problem.code);
  return {
    status,
    body: {
      error: {
        message: problem.message ?? `(#${problem.code}) ${title}`,
        type: 'OAuthException',
        code: problem.code,
        ...(problem.subcode === undefined ? {} : { error_subcode: problem.subcode }),
        error_data: { messaging_product: 'whatsapp', details: problem.details },
        fbtrace_id: `A${randomBytes(16).toString('base64url')}`,
      },
    },
  };
}

/** The form of errors within webhooks: no trace id, `title` equals `message`. */
export function webhookError(code: number): Record<string, unknown> {
  const [, title] = entry(code);
  return {
    code,
    title,
    message: title,
    error_data: { details: `${title}.` },
    href: '/documentation/business-messaging/whatsapp/support/error-codes',
  };
}
