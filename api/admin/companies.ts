import type { App } from '../../application/app.js';
import {
  changeMarketingSettings,
  changeOptOutWords,
  changePersonWords,
  changePrivacySettings,
  registerCompany,
} from '../../application/provisioning/companies.js';
import type { MarketingSettings } from '../../domain/policies/gates.js';
import type { OptOutWords } from '../../domain/policies/opt-out-words.js';
import { companies, type CompanyDoc } from '../../read-models/companies.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { list, one } from '../routes/replies.js';
import {
  commander,
  countedPageOf,
  created,
  readDocument,
  readWritten,
  uuidParameter,
  type AdminHandlers,
} from './support.js';
import { pathParam } from '../middleware/call.js';

const present = ({ uuid, name, timezone, marketing, words, created_at, ...rest }: CompanyDoc) => ({
  uuid,
  name,
  timezone,
  marketing: {
    enabled: marketing.enabled,
    per_contact_per_day: marketing.perContactPerDay,
    per_contact_per_week: marketing.perContactPerWeek,
    per_day: marketing.perDay,
  },
  opt_out_words: { stop: [...words.stop], resume: [...words.resume] },
  person_words: [...rest.personWords],
  privacy: { viewers_may_reveal: rest.viewersMayReveal },
  created_at,
});

interface MarketingBody {
  readonly enabled?: boolean;
  readonly per_contact_per_day?: number;
  readonly per_contact_per_week?: number;
  readonly per_day?: number;
}

const settingsOf = (body: MarketingBody): Partial<MarketingSettings> => ({
  ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
  ...(body.per_contact_per_day === undefined ? {} : { perContactPerDay: body.per_contact_per_day }),
  ...(body.per_contact_per_week === undefined ? {} : { perContactPerWeek: body.per_contact_per_week }),
  ...(body.per_day === undefined ? {} : { perDay: body.per_day }),
});

export const companyRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listCompanies: async (call) => {
    const one = uuidParameter(call, 'company');
    if (one !== undefined) {
      const found = await app.readModels.get(companies.name, one);
      const documents = found === undefined ? [] : [found.doc];
      const total = { count: documents.length, capped: false };
      return list({ documents, nextCursor: null, total }, present);
    }
    const find = { index: 'all', equals: [], order: 'asc' } as const;
    const scope = { list: 'companies', companyUuid: '', filters: [] };
    return list(await readPage(queries, companies.name, find, scope, countedPageOf(call)), present);
  },

  createCompany: async (call, input: { readonly name: string; readonly timezone?: string }) => {
    const { companyUuid, position } = await registerCompany(app, input, commander(call));
    return created(present(await readWritten(app, companies.name, companyUuid, position)));
  },

  getCompany: async ({ params }) =>
    one(
      present(
        await readDocument(app.readModels, companies.name, pathParam(params, 'company_uuid'), 'company'),
      ),
    ),

  changeMarketing: async (call, body: MarketingBody) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const settings = settingsOf(body);
    const { position } = await changeMarketingSettings(app, { companyUuid, settings }, commander(call));
    return one(present(await readWritten(app, companies.name, companyUuid, position)));
  },

  changeOptOutWords: async (call, words: Partial<OptOutWords>) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const { position } = await changeOptOutWords(app, { companyUuid, words }, commander(call));
    return one(present(await readWritten(app, companies.name, companyUuid, position)));
  },

  changePersonWords: async (call, { words }: { readonly words: readonly string[] }) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const { position } = await changePersonWords(app, { companyUuid, words }, commander(call));
    return one(present(await readWritten(app, companies.name, companyUuid, position)));
  },

  changePrivacy: async (call, { viewers_may_reveal }: { readonly viewers_may_reveal: boolean }) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const input = { companyUuid, viewersMayReveal: viewers_may_reveal };
    const { position } = await changePrivacySettings(app, input, commander(call));
    return one(present(await readWritten(app, companies.name, companyUuid, position)));
  },
});
