/**
 * Names, versions and indexes of stored collections: a change here creates a new, empty collection beside the old one.
 */
import { expect } from 'chai';
import { projections } from '../../projections/catalog.js';
import { operatorCollections } from '../../projections/operator-collections.js';
import { collectionOf, liveOf } from '../../projections/projection.js';
import { collection } from '../../read-models/collection.js';
import { historyImports } from '../../read-models/history-imports.js';
import type { CollectionSpec } from '../../ports/read-models.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';
import { deliveries } from '../../read-models/deliveries.js';
import { deliveryAttempts } from '../../read-models/delivery-attempts.js';
import { consoleAccounts } from '../../read-models/console-accounts.js';
import { oidcAnswers, oidcSubjects } from '../../read-models/oidc.js';
import { consoleReveals } from '../../read-models/console-reveals.js';
import { consoleSessions, signInLinks } from '../../read-models/console-sessions.js';
import { deployment } from '../../read-models/deployment.js';
import { eventEnvelopes, eventFeed, eventGaps } from '../../read-models/event-envelopes.js';
import { heldWork } from '../../read-models/held-work.js';
import { imageUploads } from '../../read-models/image-uploads.js';
import { keyUsage } from '../../read-models/key-usage.js';
import { parkedMessages } from '../../read-models/parked-messages.js';
import { templateSyncs } from '../../read-models/template-syncs.js';
import { webhookHealth } from '../../read-models/webhook-health.js';
import { webhookJobs } from '../../read-models/webhook-jobs.js';
import { memoryReadModels } from '../support/memory/read-models.js';

const ON_DISK = {
  'audit@1': {
    indexes: {
      by_company: 'company_uuid position',
      by_actor: 'company_uuid actor position',
      by_kind: 'company_uuid kind position',
      by_actor_kind: 'company_uuid actor kind position',
    },
  },
  'companies@5': { indexes: { all: 'created_at' } },
  'integrations@1': { indexes: { by_company: 'company_uuid created_at' } },
  'api_keys@1': { indexes: { by_integration: 'integration_uuid created_at' } },
  'webhook_endpoints@2': {
    indexes: { by_company: 'company_uuid created_at', by_integration: 'integration_uuid created_at' },
  },
  'event_feeds@1': { indexes: { by_company: 'company_uuid integration_uuid' } },
  'channels@3': {
    indexes: {
      by_company: 'company_uuid created_at',
      by_phone_number_id: 'phone_number_id created_at',
      by_waba_id: 'waba_id created_at',
    },
  },
  'templates@2': {
    indexes: { by_company: 'company_uuid name language', by_status: 'company_uuid status name language' },
  },
  'contacts@2': { indexes: { by_company: 'listed_in created_at' }, search: 'company_uuid words created_at' },
  'conversations@5': {
    indexes: {
      by_company: 'company_uuid last_activity_at',
      by_status: 'company_uuid status last_activity_at',
      by_agent: 'company_uuid assigned_agent_uuid last_activity_at',
      by_channel: 'company_uuid channel_uuid last_activity_at',
      by_unread: 'company_uuid unread last_activity_at',
      by_contact_channel: 'contact_uuid channel_uuid ordinal',
    },
  },
  'messages@7': {
    indexes: {
      by_conversation: 'conversation_uuid ordered_at position',
      by_recording: 'conversation_uuid position',
      by_provider_id: 'channel_uuid provider_message_id',
    },
  },
  'operations@2': {
    indexes: {
      by_company: 'company_uuid created_at',
      by_company_status: 'company_uuid status created_at',
      by_status: 'status type created_at',
    },
  },
  'sends@1': { indexes: { by_recipient: 'subject created_at' } },
  'send_labels@1': {
    indexes: { by_template: 'company_uuid template created_at' },
    search: 'company_uuid pairs created_at',
  },
  'refused_sends@1': {
    indexes: {
      by_integration: 'integration_uuid refused_at',
      by_recipient: 'integration_uuid subject refused_at',
    },
  },
  'failed_messages@1': {
    indexes: { by_company: 'company_uuid failed_at', by_code: 'company_uuid error_code failed_at' },
  },
  'channel_pacing@2': { indexes: {} },
  'parked_updates@1': { indexes: { all: 'shelf parked_at' } },
  'saved_replies@1': { indexes: { by_company: 'company_uuid short_cut' } },
  'team@2': { indexes: { by_company: 'company_uuid status created_at' } },
  'store_images@1': { indexes: {}, search: 'scope hashes created_at' },
  'orders@2': {
    indexes: {
      by_store: 'store_uuid created_at number',
      by_status: 'store_uuid status created_at number',
      by_number: 'store_uuid number',
      by_contact: 'contact_uuid created_at',
    },
  },
  'flows@1': {
    indexes: { by_company: 'company_uuid created_at', by_status: 'company_uuid status created_at' },
  },
  'executions@1': {
    indexes: {
      by_company: 'company_uuid created_at',
      by_company_status: 'company_uuid status created_at',
      by_status: 'status created_at',
      by_flow: 'flow_uuid created_at',
      by_flow_status: 'flow_uuid status created_at',
      by_contact: 'contact_uuid created_at',
    },
  },
  'stores@2': { indexes: { all: 'created_at' } },
  'products@1': {
    indexes: {
      by_store: 'store_uuid created_at',
      by_state: 'store_uuid state created_at',
      by_category: 'store_uuid category_uuid state created_at',
      by_promotion: 'store_uuid promotion created_at',
      by_slug: 'store_uuid slug_key',
    },
    search: 'store_uuid words created_at',
  },
  'erasures@1': { indexes: { newest: 'requested_at', by_shelf: 'shelf requested_at' } },
  'projection_rebuilds@1': { indexes: { all: 'shelf requested_at', by_state: 'open requested_at' } },
  'projection_wishes@1': { indexes: {} },
  'projection_skips@1': { indexes: { by_projection: 'projection skipped_at', all: 'skipped_at' } },
  'projection_states@1': { indexes: {} },
  'read_model_waits@1': { indexes: {} },
  'held_work@1': { indexes: { all: 'due_at', by_company: 'company_uuid due_at' }, forgets: true },
  'parked_messages@1': { indexes: { by_group: 'group parked_at', newest: 'parked_at' }, forgets: true },
  'history_imports@1': { indexes: {} },
  'deliveries@1': {
    indexes: {
      by_integration: 'integration_uuid created_at',
      by_endpoint_status: 'endpoint_uuid status created_at',
      by_status: 'status created_at',
      by_event: 'event_id created_at',
    },
    forgets: true,
  },
  'delivery_attempts@1': { indexes: {}, forgets: true },
  'webhook_health@1': { indexes: { by_state: 'failing failing_since' }, forgets: true },
  'webhook_jobs@1': {
    indexes: {
      by_endpoint: 'endpoint_uuid created_at',
      by_endpoint_status: 'endpoint_uuid status created_at',
      by_status: 'status created_at',
    },
    forgets: true,
  },
  'event_envelopes@1': { indexes: { by_integration: 'integration_uuid sequence' }, forgets: true },
  'event_gaps@1': { indexes: { oldest: 'since' }, forgets: true },
  'image_uploads@1': { indexes: { by_hash: 'hash' }, forgets: true },
  'event_feed@1': { indexes: {} },
  'key_usage@1': { indexes: {} },
  'sign_in_links@1': { indexes: { newest: 'created_at' } },
  'console_reveals@1': { indexes: { by_until: 'until', by_session: 'session_uuid until' } },
  'console_sessions@3': { indexes: { newest: 'created_at', by_member: 'member_uuid created_at' } },
  'console_accounts@1': { indexes: { by_member: 'member_uuid created_at' } },
  'oidc_subjects@1': { indexes: { by_member: 'member_uuid linked_at' } },
  'oidc_answers@1': { indexes: { newest: 'created_at' } },
  'deployment@1': { indexes: {} },
  'template_syncs@1': { indexes: { by_company: 'company_uuid started_at' } },
};

const joined = ({ name, version, indexes, search, forgets }: CollectionSpec) => [
  `${name}@${version}`,
  {
    indexes: Object.fromEntries(Object.entries(indexes).map(([index, fields]) => [index, fields.join(' ')])),
    ...(search && { search: `${search.scope} ${search.words} ${search.orderBy}` }),
    ...(forgets && { forgets }),
  },
];

describe('collections', () => {
  it('have the names, versions and indexes that lie on disk', () => {
    const all: readonly CollectionSpec[] = [
      ...projections.map((projection) => collectionOf(liveOf(projection))),
      ...operatorCollections,
      ...[heldWork, parkedMessages, historyImports, deliveries, deliveryAttempts, keyUsage, deployment],
      webhookHealth,
      webhookJobs,
      ...[eventEnvelopes, eventGaps, eventFeed],
      imageUploads,
      templateSyncs,
      ...[signInLinks, consoleSessions, consoleAccounts, consoleReveals, oidcSubjects, oidcAnswers],
    ];
    expect(Object.fromEntries(all.map(joined))).to.deep.equal(ON_DISK);
  });

  it('hold the compiler to their documents and indexes', async () => {
    const readModels = memoryReadModels();
    const found = await readModels.get(channels.name, 'a');
    const status: ChannelDoc['status'] | undefined = found?.doc.status;
    expect(status).to.equal(undefined);
    // Each of these would fail the type check if it compiled.
    const refused = async (): Promise<void> => {
      // @ts-expect-error no such field
      expect(found?.doc.colour).to.equal(undefined);
      // @ts-expect-error nobody says by hand what a name stands for
      await readModels.get<ChannelDoc>('channels', 'a');
      // @ts-expect-error no such index
      await readModels.find(channels.name, { index: 'by_colour', equals: [], order: 'asc', limit: 1 });
      // @ts-expect-error no such index
      await readModels.count(channels.name, 'by_colour', []);
      // @ts-expect-error half a document
      await readModels.write(channels.name, [{ id: 'a', doc: { uuid: 'a' }, version: '1' }]);
      // @ts-expect-error an index over a field that documents do not have
      collection<ChannelDoc>()({ name: 'channels', version: 3, indexes: { by_colour: ['colour'] } });
    };
    expect(refused).to.be.a('function');
  });
});
