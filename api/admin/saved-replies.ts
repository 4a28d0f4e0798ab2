import type { App } from '../../application/app.js';
import {
  addSavedReply,
  changeSavedReply,
  removeSavedReply,
} from '../../application/conversations/saved-replies.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { companies } from '../../read-models/companies.js';
import { savedReplies, type SavedReplyDoc } from '../../read-models/saved-replies.js';
import { pathParam, type Call } from '../middleware/call.js';
import { list, one } from '../routes/replies.js';
import {
  commander,
  countedPageOf,
  created,
  nothing,
  readDocument,
  readWritten,
  type AdminHandlers,
} from './support.js';

interface Content {
  readonly title: string;
  readonly short_cut: string;
  readonly text: string;
}

const GONE_WITHIN_MS = 2_000;

const present = ({ company_uuid: _company, ...shown }: SavedReplyDoc) => shown;

const replyOf = ({ params }: Call) => ({
  companyUuid: pathParam(params, 'company_uuid'),
  replyUuid: pathParam(params, 'reply_uuid').toLowerCase(),
});

export const savedReplyRoutes = (app: App, queries: QueryDeps): AdminHandlers => ({
  listSavedReplies: async (call) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    await readDocument(app.readModels, companies.name, companyUuid, 'company');
    const find = { index: 'by_company', equals: [companyUuid], order: 'asc' } as const;
    const scope = { list: 'saved-replies', companyUuid, filters: [] };
    return list(await readPage(queries, savedReplies.name, find, scope, countedPageOf(call)), present);
  },

  addSavedReply: async (call, { title, short_cut: shortCut, text }: Content) => {
    const companyUuid = pathParam(call.params, 'company_uuid');
    const written = await addSavedReply(app, { companyUuid, title, shortCut, text }, commander(call));
    return created(present(await readWritten(app, savedReplies.name, written.replyUuid, written.position)));
  },

  changeSavedReply: async (call, { short_cut: shortCut, ...content }: Partial<Content>) => {
    const change = { ...content, ...(shortCut === undefined ? {} : { shortCut }) };
    const { position } = await changeSavedReply(app, { ...replyOf(call), ...change }, commander(call));
    return one(present(await readWritten(app, savedReplies.name, replyOf(call).replyUuid, position)));
  },

  removeSavedReply: async (call) => {
    const { position } = await removeSavedReply(app, replyOf(call), commander(call));
    // The next read of the caller must not show it.
    if (position !== null) await app.readModelsReached(position, GONE_WITHIN_MS);
    return nothing;
  },
});
