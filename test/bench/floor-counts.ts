/**
 * Requests of the floor of the real stack: together, with two statuses, those of one message to a new recipient. Fetches
 * and commits of Kafka come on top.
 */
export const FLOOR = {
  send: { appends: 5, reads: 1, writes: 2, finds: 0, produced: 1 },
  status: { appends: 3, reads: 0, writes: 2, finds: 1, produced: 1 },
} as const;

/** Events by type, with the size of their data, in characters, as the product stores it. */
export type Step = Readonly<Record<string, number>>;

export interface EmbeddedSteps {
  /** Before the 202. */
  readonly accept: readonly Step[];
  /** After it, before the provider is called. */
  readonly prepare: readonly Step[];
  /** Between the provider's answer and its webhook. */
  readonly outcome: readonly Step[];
  /** Before the 200 for a status. */
  readonly keep: readonly Step[];
  /** Before the webhook of a status that changes the message. `sent` changes nothing: the answer has said so. */
  readonly report: readonly Step[];
}

const ACCEPT = { SendAccepted: 811 };
const IDENTITY = { IdentityClaimed: 68 };
const CONTACT = { ContactCreated: 339 };
const CONVERSATION = { ConversationOpened: 198 };
const ATTEMPT = { SendAttempted: 307, MessageQueued: 599 };
const AFTER_CALL = {
  outcome: [{ SendSucceeded: 91, MessageAccepted: 46 }],
  keep: [{ ProviderWebhookReceived: 870 }],
  report: [{ MessageStatusReported: 80 }],
};

/**
 * Steps of the floor of the embedded store for a message to a new recipient. Each step waits for the disk, and what
 * follows waits for it; its events are durable together. `product` has the steps of the product (application/send,
 * workers/sending, application/people, workers/inbound). `fewest` has those without which a crash would lose or repeat
 * something: who the message is for could be stored with the attempt.
 */
export const EMBEDDED_STEPS: Readonly<Record<string, EmbeddedSteps>> = {
  product: { accept: [ACCEPT], prepare: [IDENTITY, CONTACT, CONVERSATION, ATTEMPT], ...AFTER_CALL },
  fewest: {
    accept: [ACCEPT],
    prepare: [{ ...IDENTITY, ...CONTACT, ...CONVERSATION, ...ATTEMPT }],
    ...AFTER_CALL,
  },
};

/** How often for a message with the statuses sent and delivered. */
const MOMENTS = [
  ['accept', 1],
  ['prepare', 1],
  ['outcome', 1],
  ['keep', 2],
  ['report', 1],
] as const;

/** Types of the events of a message, in the order of their steps. */
export const eventsOf = (steps: EmbeddedSteps): readonly string[] =>
  MOMENTS.flatMap(([moment, times]) =>
    Array.from({ length: times }, () => steps[moment].flatMap(Object.keys)).flat(),
  );

/** Steps of a message, and those between the 202 and the first webhook. */
export const countsOf = (steps: EmbeddedSteps): { readonly steps: number; readonly untilTold: number } => ({
  steps: MOMENTS.reduce((sum, [moment, times]) => sum + times * steps[moment].length, 0),
  untilTold: steps.prepare.length + steps.outcome.length,
});

/** HTTP exchanges of the same message. */
export const EMBEDDED_EXCHANGES = { accepted: 1, 'provider called': 1, statuses: 2, webhooks: 2 } as const;
