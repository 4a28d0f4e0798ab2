import type { App } from '../../application/app.js';
import {
  checkChannel,
  connectChannel,
  disconnectChannel,
  replaceChannelToken,
} from '../../application/provisioning/channels.js';
import { loadChannel, notFound } from '../../application/provisioning/common.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { presentChannel } from '../../application/resources/channel.js';
import { presentTemplate } from '../../application/resources/template.js';
import { beginTemplateSync } from '../../application/templates/begin-sync.js';
import { readProgress } from '../../application/templates/progress.js';
import { syncTemplates } from '../../application/templates/sync.js';
import { list, one } from '../routes/replies.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';
import { companies } from '../../read-models/companies.js';
import type { TemplateSyncProgress } from '../../read-models/template-syncs.js';
import { templates, type TemplateDoc } from '../../read-models/templates.js';
import {
  accepted,
  commander,
  countedPageOf,
  created,
  nothing,
  readAll,
  readDocument,
  readWritten,
  unpaged,
  type AdminHandlers,
} from './support.js';
import { pathParam, queryText } from '../middleware/call.js';

const presentAt = (now: number) => (doc: ChannelDoc) => ({
  ...presentChannel(doc, now),
  company_uuid: doc.company_uuid,
  phone_number_id: doc.phone_number_id,
  waba_id: doc.waba_id,
  quality: doc.quality_rating,
  provider_status: doc.provider_status,
  quality_rating: doc.quality_rating,
  verified_name: doc.verified_name,
  throughput_level: doc.throughput_level,
  account_mode: doc.account_mode,
  on_business_app: doc.on_business_app,
  access_refused: doc.access_refused,
  ban_state: doc.ban_state,
  restrictions: doc.restrictions,
  taken_off: doc.taken_off,
  created_at: doc.created_at,
  updated_at: doc.updated_at,
});

const presentForOperator = (doc: TemplateDoc) => ({
  ...presentTemplate(doc),
  provider_status: doc.provider_status,
  quality: doc.quality,
  rejected_reason: doc.rejected_reason,
  upcoming_category: doc.upcoming_category,
  last_refusal: doc.last_refusal,
  removed_at: doc.removed_at,
  components: doc.components,
});

const presentProgress = (progress: TemplateSyncProgress) => ({
  state: progress.state,
  pages: progress.pages,
  listed: progress.seen.length,
  expected: progress.expected,
  ...progress.counts,
  problem: progress.problem,
  started_at: progress.started_at,
  updated_at: progress.updated_at,
  finished_at: progress.finished_at,
});

interface ChannelBody {
  readonly phone_number_id: string;
  readonly waba_id: string;
  readonly access_token: string;
  readonly display_name?: string | null;
  readonly phone_number?: string | null;
}

export function channelRoutes(app: App, queries: QueryDeps): AdminHandlers {
  const { readModels } = app;
  const present = (doc: ChannelDoc) => presentAt(app.clock.now())(doc);
  const uuidOf = (params: Readonly<Record<string, string>>): string => pathParam(params, 'channel_uuid');
  const written = (uuid: string, position: Parameters<typeof readWritten>[3]) =>
    readWritten(app, channels.name, uuid, position);

  return {
    listChannels: async ({ params }) => {
      const company = pathParam(params, 'company_uuid');
      await readDocument(readModels, companies.name, company, 'company');
      const docs = await readAll(readModels, channels.name, 'by_company', [company]);
      return unpaged(docs.map(present));
    },

    connectChannel: async (call, body: ChannelBody) => {
      const input = {
        companyUuid: pathParam(call.params, 'company_uuid'),
        phoneNumberId: body.phone_number_id,
        wabaId: body.waba_id,
        accessToken: body.access_token,
        displayName: body.display_name,
        phoneNumber: body.phone_number,
      };
      const { channelUuid, position } = await connectChannel(app, input, commander(call));
      return created(present(await written(channelUuid, position)));
    },

    getChannel: async ({ params }) =>
      one(present(await readDocument(readModels, channels.name, uuidOf(params), 'channel'))),

    disconnectChannel: async (call) => {
      const channelUuid = uuidOf(call.params);
      const { position } = await disconnectChannel(app, { channelUuid }, commander(call));
      await written(channelUuid, position);
      return nothing;
    },

    replaceChannelToken: async (call, body: { readonly access_token: string }) => {
      const channelUuid = uuidOf(call.params);
      const input = { channelUuid, accessToken: body.access_token };
      const { position } = await replaceChannelToken(app, input, commander(call));
      return one(present(await written(channelUuid, position)));
    },

    checkChannel: async (call) => {
      const channelUuid = uuidOf(call.params);
      const { position } = await checkChannel(app, { channelUuid }, commander(call));
      return one(present(await written(channelUuid, position)));
    },

    syncTemplates: async (call) => {
      const channelUuid = uuidOf(call.params);
      if (call.query['wait'] === 'false') {
        return accepted(presentProgress(await beginTemplateSync(app, { channelUuid }, commander(call))));
      }
      const { imported, changed, unchanged, removed } = await syncTemplates(
        app,
        { channelUuid },
        commander(call),
      );
      return one({ imported, changed, unchanged, removed });
    },

    getTemplateSync: async ({ params }) => {
      const { companyUuid, wabaId } = await loadChannel(app, uuidOf(params));
      const progress = await readProgress(readModels, companyUuid, wabaId);
      if (!progress) throw notFound('template_sync', 'template sync');
      return one(presentProgress(progress.doc));
    },

    listTemplates: async (call) => {
      const company = pathParam(call.params, 'company_uuid');
      await readDocument(readModels, companies.name, company, 'company');
      const status = queryText(call.query, 'status');
      const find =
        status === undefined
          ? ({ index: 'by_company', equals: [company], order: 'asc' } as const)
          : ({ index: 'by_status', equals: [company, status], order: 'asc' } as const);
      const scope = { list: 'admin-templates', companyUuid: company, filters: [status ?? null] };
      const page = await readPage(queries, templates.name, find, scope, countedPageOf(call));
      return list(page, presentForOperator);
    },
  };
}
