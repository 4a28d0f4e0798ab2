/** The events of an integration as the server sends them: the bytes that its webhooks have too. */
import { number, part, text, type Resource } from '../answer.js';
import { EXIT, Failure } from '../failure.js';
import type { SentEvent } from './sse.js';

export interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly created_at: string;
  readonly data: Resource;
  /** Exactly as sent; never parsed and written again. */
  readonly raw: Buffer;
}

/** @throws Failure when the bytes are no event, or of another type than was announced */
export function readEnvelope({ type, data }: SentEvent): Envelope {
  const envelope = envelopeOf(data);
  if (envelope.type === type) return envelope;
  throw notValid(`The event ${envelope.id} is of the type ${envelope.type}, but was announced as ${type}.`);
}

/** @throws Failure when the bytes are no event */
export function envelopeOf(raw: Buffer): Envelope {
  const parsed = part(parse(raw));
  return {
    id: text(parsed['id']),
    type: text(parsed['type']),
    sequence: number(parsed['sequence']),
    created_at: text(parsed['created_at']),
    data: part(parsed['data']),
    raw,
  };
}

function parse(data: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(data));
  } catch {
    throw notValid('The server sent an event that is not JSON.');
  }
}

const notValid = (message: string): Failure =>
  new Failure(EXIT.failed, message, 'Something between may alter the stream: check the address for proxies.');
