/** A provider in this process, for tests that need no server. It accepts every message until a test says otherwise. */
import type {
  OutboundMessage,
  Provider,
  ProviderError,
  ProviderPhoneNumber,
  ProviderTemplate,
  SendOutcome,
} from '../../../ports/provider.js';

export const accepted = (messageId = 'wamid.1'): SendOutcome => ({
  kind: 'accepted',
  messageId,
  waId: null,
  userId: null,
  held: false,
});

export const providerError = (code: number, more: Partial<ProviderError> = {}): ProviderError => ({
  code,
  title: 'Error',
  details: null,
  traceId: null,
  httpStatus: 400,
  retryAfterSeconds: null,
  ...more,
});

export const rejected = (code: number, more: Partial<ProviderError> = {}): SendOutcome => ({
  kind: 'rejected',
  error: providerError(code, more),
});

export type AnswerToSend = (message: OutboundMessage) => SendOutcome | Promise<SendOutcome>;

export interface FakeProvider {
  readonly port: Provider;
  /** Messages that it was called with, in order. */
  readonly sent: OutboundMessage[];
  /** Number of sends. */
  readonly calls: number;
  /** Its answer to sends from now on. */
  answer: AnswerToSend;
  /** The details returned for every phone number. */
  readonly number: { -readonly [Field in keyof ProviderPhoneNumber]: ProviderPhoneNumber[Field] };
  /** How often a phone number was queried. */
  asked: number;
  templates: ProviderTemplate[];
}

export function fakeProvider(): FakeProvider {
  const sent: OutboundMessage[] = [];
  const fake: FakeProvider = {
    sent,
    get calls() {
      return sent.length;
    },
    answer: () => accepted(`wamid.${sent.length}`),
    number: {
      phoneNumberId: '',
      displayPhoneNumber: '+55 11 4002-8922',
      verifiedName: 'Loja Aurora',
      qualityRating: 'GREEN',
      status: 'CONNECTED',
      throughputLevel: 'STANDARD',
      messagingLimit: null,
    },
    asked: 0,
    templates: [],
    port: {
      async send(_credentials, message) {
        sent.push(message);
        return fake.answer(message);
      },
      async phoneNumber({ phoneNumberId }) {
        fake.asked += 1;
        return { ok: true, value: { ...fake.number, phoneNumberId } };
      },
      listTemplates: async () => ({ ok: true, value: { templates: fake.templates, next: null } }),
      accountNumbers: async () => ({ ok: true, value: { ids: [], complete: true } }),
      close: async () => undefined,
    },
  };
  return fake;
}
