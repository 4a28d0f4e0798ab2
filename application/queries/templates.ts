/** Reads behind GET /templates and GET /templates/{name}. */
import type { ChannelUuid, CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { channels } from '../../read-models/channels.js';
import { templates } from '../../read-models/templates.js';
import type { TemplateDocument } from '../resources/template.js';
import { readFilteredPage, readPage, type Page, type PageRequest, type QueryDeps } from './page.js';

export interface TemplateFilters {
  readonly status: string;
  /** Part of a name; case and accents are ignored. */
  readonly query?: string | undefined;
  /** Only templates of this channel's WhatsApp account. */
  readonly channelUuid?: ChannelUuid | undefined;
}

/** By name, then language. @throws Refusal invalid_cursor */
export async function listTemplates(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  filters: TemplateFilters,
  page: PageRequest,
): Promise<Page<TemplateDocument>> {
  const { status, channelUuid } = filters;
  const words = fold(filters.query ?? '');
  const scope = { list: 'templates', companyUuid, filters: [status, words, channelUuid ?? null] };
  const find = { index: 'by_status', equals: [companyUuid, status], order: 'asc' } as const;
  if (words === '' && channelUuid === undefined) {
    return readPage(deps, templates.name, find, scope, page);
  }
  let account: string | null = null;
  if (channelUuid !== undefined) {
    const channel = (await deps.readModels.get(channels.name, channelUuid))?.doc;
    // An unknown channel matches nothing, which gives an empty list, as with any other filter value.
    if (channel?.company_uuid !== companyUuid) return { documents: [], nextCursor: null };
    account = channel.waba_id;
  }
  return readFilteredPage(
    deps,
    templates.name,
    find,
    scope,
    page,
    (template) => (account === null || template.waba_id === account) && fold(template.name).includes(words),
    ({ id, doc }) => [doc.name, doc.language, id],
  );
}

/** A name has few languages: WhatsApp supports about 70. */
const MAX_LANGUAGES = 500;

/**
 * Best match for an exact name (spec §4). Precedence: APPROVED versions, versions still in the account, the most
 * recently changed one; ties go to the first by language.
 *
 * @throws Refusal template_not_found
 */
export async function findTemplate(
  deps: QueryDeps,
  companyUuid: CompanyUuid,
  name: string,
): Promise<TemplateDocument> {
  const { documents } = await deps.readModels.find(templates.name, {
    index: 'by_company',
    equals: [companyUuid, name],
    order: 'asc',
    limit: MAX_LANGUAGES,
  });
  const [best] = documents.map((document) => document.doc).sort(better);
  if (!best) {
    throw new Refusal(
      'template_not_found',
      'There is no template of this name. List yours with GET /templates.',
      {
        name,
      },
    );
  }
  return best;
}

function better(a: TemplateDocument, b: TemplateDocument): number {
  const approved = Number(b.status === 'APPROVED') - Number(a.status === 'APPROVED');
  if (approved !== 0) return approved;
  const there = Number(a.removed_at !== null) - Number(b.removed_at !== null);
  if (there !== 0) return there;
  const byTime = compare(b.updated_at, a.updated_at);
  if (byTime !== 0) return byTime;
  // A sync writes many versions at once: the result must not depend on the order in which they are stored.
  return compare(a.language, b.language) || compare(a.uuid, b.uuid);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Lower case, without accents. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase();
