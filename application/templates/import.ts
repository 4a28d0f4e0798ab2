/** Records templates as the provider reports them. */
import { deriveId, type ChannelUuid, type CompanyUuid } from '../../domain/kernel/ids.js';
import { templateAggregate } from '../../domain/template/decide.js';
import type { Position } from '../../ports/event-store.js';
import type { ProviderTemplate } from '../../ports/provider.js';
import type { TemplateChange } from '../../read-models/template-syncs.js';
import { directCommand, type App } from '../app.js';
import { loadHeldChannel } from '../provisioning/channels.js';
import type { Caller } from '../provisioning/common.js';

export interface Imported {
  readonly id: string;
  readonly change: TemplateChange;
  readonly position: Position | null;
}

/** The company, channel and WhatsApp account that templates are imported for. */
export interface TemplateAccount {
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  readonly wabaId: string;
}

/** One stream per account, name and language, for all callers. */
export const templateId = (
  companyUuid: CompanyUuid,
  wabaId: string,
  name: string,
  language: string,
): string => deriveId('template', companyUuid, wabaId, name, language);

export async function importTemplate(
  app: Pick<App, 'executor' | 'newId'>,
  account: TemplateAccount,
  template: ProviderTemplate,
  caller: Caller,
): Promise<Imported> {
  const { name, language, status, category, parameterFormat, components } = template;
  const id = templateId(account.companyUuid, account.wabaId, name, language);
  const done = await app.executor.execute(
    templateAggregate,
    id,
    {
      type: 'ImportTemplate',
      ...account,
      name,
      language,
      definition: {
        providerTemplateId: template.id,
        status,
        category,
        parameterFormat,
        components,
        ...(template.rejectedReason === undefined ? {} : { rejectedReason: template.rejectedReason }),
        ...(template.quality === undefined ? {} : { quality: template.quality }),
      },
    },
    directCommand(app, { company: account.companyUuid, ...caller }),
  );
  return { id, change: changeOf(done.events[0]?.type), position: done.position };
}

function changeOf(type: string | undefined): TemplateChange {
  if (type === undefined) return 'unchanged';
  if (type === 'TemplateImported') return 'imported';
  return type === 'TemplateRemoved' ? 'removed' : 'changed';
}

/** Marks a template that is no longer in the account; its data is kept. */
export async function removeTemplate(
  app: Pick<App, 'executor' | 'newId'>,
  companyUuid: CompanyUuid,
  id: string,
  caller: Caller,
): Promise<Imported> {
  const done = await app.executor.execute(
    templateAggregate,
    id,
    { type: 'RemoveTemplate' },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { id, change: done.events.length > 0 ? 'removed' : 'unchanged', position: done.position };
}

/** Records the given templates; removes none. @throws Refusal not_found, channel_not_connected */
export async function importTemplates(
  app: Pick<App, 'executor' | 'indexSecret' | 'newId'>,
  input: { readonly channelUuid: ChannelUuid; readonly templates: readonly ProviderTemplate[] },
  caller: Caller,
): Promise<void> {
  const { companyUuid, wabaId } = await loadHeldChannel(app, input.channelUuid);
  const account = { companyUuid, channelUuid: input.channelUuid, wabaId };
  await Promise.all(input.templates.map((template) => importTemplate(app, account, template, caller)));
}

export const later = (a: Position | null, b: Position | null): Position | null =>
  a === null || (b !== null && b > a) ? b : a;
