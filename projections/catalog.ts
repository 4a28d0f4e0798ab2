/** Every projection of the product. Projections have no side effects; those are in workers/. */
import { apiKeys } from './models/api-keys.js';
import { audit } from './models/audit.js';
import { channels } from './models/channels.js';
import { companies } from './models/companies.js';
import { contacts } from './models/contacts.js';
import { conversations } from './models/conversations.js';
import { erasures } from './models/erasures.js';
import { eventFeeds } from './models/event-feeds.js';
import { executions } from './models/executions.js';
import { failedMessages } from './models/failed-messages.js';
import { flows } from './models/flows.js';
import { integrations } from './models/integrations.js';
import { messages } from './models/messages.js';
import { operations } from './models/operations.js';
import { orders } from './models/orders.js';
import { channelPacing } from './models/pacing.js';
import { parkedUpdates } from './models/parked-updates.js';
import { products } from './models/products.js';
import { refusedSends } from './models/refused-sends.js';
import { savedReplies } from './models/saved-replies.js';
import { sendLabels } from './models/send-labels.js';
import { sends } from './models/sends.js';
import { stores } from './models/stores.js';
import { storeImages } from './models/store-images.js';
import { team } from './models/team.js';
import { templates } from './models/templates.js';
import { webhookEndpoints } from './models/webhook-endpoints.js';
import { asAny, type AnyProjection } from './projection.js';

export const projections: readonly AnyProjection[] = [
  asAny(companies),
  asAny(integrations),
  asAny(apiKeys),
  asAny(webhookEndpoints),
  asAny(eventFeeds),
  asAny(channels),
  asAny(templates),
  asAny(contacts),
  asAny(conversations),
  asAny(messages),
  asAny(operations),
  asAny(channelPacing),
  asAny(parkedUpdates),
  asAny(team),
  asAny(storeImages),
  asAny(orders),
  asAny(flows),
  asAny(executions),
  asAny(stores),
  asAny(products),
  asAny(erasures),
  asAny(sends),
  asAny(sendLabels),
  asAny(failedMessages),
  asAny(refusedSends),
  asAny(audit),
  asAny(savedReplies),
];
