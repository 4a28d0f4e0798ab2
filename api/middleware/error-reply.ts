/** The error envelope. */
import type { Problem } from '../errors.js';
import type { Reply } from './call.js';

export function errorReply({ status, code, message, details, headers }: Problem, requestId: string): Reply {
  return { status, headers, body: { error: { code, message, details, request_id: requestId } } };
}
