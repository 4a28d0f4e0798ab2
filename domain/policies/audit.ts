/** Which events an auditor reads, by kind: what people decide, and who may what. */

/** Caused by people or by programs. */
const ALWAYS = {
  access: [
    ...['TeamMemberAdded', 'TeamMemberRenamed', 'TeamMemberRemoved'],
    ...['TeamAccessGranted', 'TeamAccessRevoked'],
  ],
  sign_in: ['SignedIn', 'SignInFailed', 'PasswordSet', 'SecondFactorChanged'],
  reveal: ['PersonalDataRevealed'],
  key: [
    ...['IntegrationRegistered', 'ApiKeyIssued', 'ApiKeyRevoked', 'WebhookSecretRotated'],
    'ChannelTokenReplaced',
  ],
  erasure: ['ErasureRequested', 'ErasureEnded'],
  setting: [
    ...['CompanyRegistered', 'MarketingSettingsChanged', 'OptOutWordsChanged', 'PersonWordsChanged'],
    ...['PrivacySettingsChanged', 'SendingSettingsChanged', 'ChannelConnected', 'ChannelReconnected'],
    ...['ChannelDisconnected', 'StoreOpened', 'StoreChanged', 'StorePlanChanged', 'EventFeedSwitched'],
    ...['SavedReplyAdded', 'SavedReplyChanged', 'SavedReplyRemoved'],
  ],
  webhook: ['WebhookEndpointAdded', 'WebhookEndpointChanged', 'WebhookEndpointRemoved'],
  server: ['HistoryRestored', 'UpkeepRequested'],
} as const;

/** Only when a person caused them: programs cause thousands of them a day. */
const BY_PEOPLE = {
  contact: ['ContactChanged', 'ContactOptedOut', 'ContactOptedIn', 'ContactMergedInto'],
  conversation: [
    ...['ConversationResolved', 'ConversationReopened', 'ConversationMarkedPending'],
    ...['ConversationAssigned', 'NoteWritten'],
    'ConversationHandedOff',
  ],
  message: ['SendAccepted'],
  order: ['OrderPlaced', 'OrderConfirmed', 'OrderPaid', 'OrderDelivered', 'OrderCancelled'],
  product: [
    ...['ProductCreated', 'ProductChanged', 'ProductVariantsReplaced', 'ProductImagesReplaced'],
    ...['StockSet', 'ProductDeleted', 'CategoryCreated', 'CategoryChanged', 'CategoryRemoved'],
  ],
  flow: ['FlowCreated', 'FlowRenamed', 'FlowDraftSaved', 'FlowPublished', 'FlowUnpublished', 'FlowDeleted'],
} as const;

export type AuditKind = keyof typeof ALWAYS | keyof typeof BY_PEOPLE;

/** Of what was asked for, by operation of the admin API. What is not here concerns the server. */
const ASKED_FOR: Readonly<Partial<Record<AuditKind, readonly string[]>>> = {
  sign_in: ['makeSignInLink', 'endSession', 'linkOidc', 'unlinkOidc'],
  key: ['listSealedKeys'],
  webhook: [
    ...['replayWebhooks', 'startWebhookReplay', 'cancelWebhookReplay', 'redeliverFailed'],
    'redeliver',
  ],
};

const kinds: ReadonlyMap<string, AuditKind> = new Map(
  [...Object.entries(ALWAYS), ...Object.entries(BY_PEOPLE)].flatMap(([kind, types]) =>
    types.map((type): [string, AuditKind] => [type, kind as AuditKind]),
  ),
);
const byPeople = new Set<string>(Object.values(BY_PEOPLE).flat());

export const AUDITED: readonly string[] = [...kinds.keys()];

const askedFor: ReadonlyMap<unknown, AuditKind> = new Map(
  Object.entries(ASKED_FOR).flatMap(([kind, operations]) =>
    operations.map((operation): [string, AuditKind] => [operation, kind as AuditKind]),
  ),
);

/** Undefined: no auditor reads it. @param operation of the admin API, where that is what the event tells */
export const auditKindOf = (type: string, operation?: unknown): AuditKind | undefined =>
  (type === 'UpkeepRequested' ? askedFor.get(operation) : undefined) ?? kinds.get(type);

/** @param actor as recorded with the event */
export function isAudited(type: string, actor: string): boolean {
  if (!byPeople.has(type)) return kinds.has(type);
  return actor === 'admin' || actor.startsWith('user:');
}
