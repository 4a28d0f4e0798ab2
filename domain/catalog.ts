/** Every aggregate and event type of the product, for the schema registry and the analysts' catalogue. */
import { accountAggregate } from './account/decide.js';
import { channelAggregate } from './channel/decide.js';
import { channelUpcasters } from './channel/events.js';
import { companyAggregate } from './company/decide.js';
import { compiledSchemas } from './compiled-schemas.js';
import { contactAggregate } from './contact/decide.js';
import { conversationAggregate } from './conversation/decide.js';
import { erasureAggregate } from './erasure/decide.js';
import { executionAggregate } from './execution/decide.js';
import { executionUpcasters } from './execution/events.js';
import { flowAggregate } from './flow/decide.js';
import { identityAggregate } from './identity/decide.js';
import { intakeAggregate } from './intake/decide.js';
import { integrationAggregate } from './integration/decide.js';
import type { EventDefinition } from './kernel/event.js';
import { createSchemaRegistry, type SchemaRegistry, type Upcaster } from './kernel/schema-registry.js';
import { quotaAggregate } from './quota/decide.js';
import { messageAggregate } from './message/decide.js';
import { messageUpcasters } from './message/events.js';
import { operationAggregate } from './operation/decide.js';
import { operationUpcasters } from './operation/events.js';
import { orderAggregate } from './order/decide.js';
import { orderUpcasters } from './order/events.js';
import { productAggregate } from './product/decide.js';
import { refusedSendsAggregate } from './refused-sends/decide.js';
import { restoreAggregate } from './restore/decide.js';
import { channelControlsAggregate } from './channel-controls/decide.js';
import { productQuotaAggregate } from './product-quota/decide.js';
import { savedRepliesAggregate } from './saved-replies/decide.js';
import { storeAggregate } from './store/decide.js';
import { storeUpcasters } from './store/events.js';
import { teamAggregate } from './team/decide.js';
import { templateAggregate } from './template/decide.js';
import { templateUpcasters } from './template/events.js';
import { upkeepAggregate } from './upkeep/decide.js';

export const aggregates = [
  companyAggregate,
  integrationAggregate,
  channelAggregate,
  templateAggregate,
  flowAggregate,
  executionAggregate,
  identityAggregate,
  contactAggregate,
  conversationAggregate,
  messageAggregate,
  operationAggregate,
  quotaAggregate,
  channelControlsAggregate,
  intakeAggregate,
  teamAggregate,
  storeAggregate,
  productQuotaAggregate,
  productAggregate,
  orderAggregate,
  erasureAggregate,
  restoreAggregate,
  refusedSendsAggregate,
  accountAggregate,
  savedRepliesAggregate,
  upkeepAggregate,
] as const;

/** `Type@version` → data of the next version, for each released event type that changed. */
const upcasters: Readonly<Record<string, Upcaster>> = {
  // Version 1 stored every body in one event, regardless of its size.
  'ProviderWebhookReceived@1': (data) => ({ ...data, parts: 0 }),
  // Version 2 did not record which lanes a webhook belongs to.
  'ProviderWebhookReceived@2': (data) => ({ ...data, lanes: [] }),
  // Version 2 only adds one more value of `opened_by`.
  'ConversationOpened@1': (data) => data,
  // Likewise of `by`.
  'ConversationHandedOff@1': (data) => data,
  ...channelUpcasters,
  ...executionUpcasters,
  ...messageUpcasters,
  ...operationUpcasters,
  ...orderUpcasters,
  ...storeUpcasters,
  ...templateUpcasters,
};

export const eventDefinitions: readonly EventDefinition[] = aggregates.flatMap((aggregate) => [
  ...aggregate.events,
]);

let registry: SchemaRegistry | undefined;

/** One registry per process: it depends only on the event types above. */
export const createRegistry = (): SchemaRegistry =>
  (registry ??= createSchemaRegistry(eventDefinitions, upcasters, compiledSchemas));
