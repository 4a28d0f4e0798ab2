/** What became of a message template in the WhatsApp account (spec §2, Template). */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { templateCategory, templateStatus } from '../../../application/templates/status.js';
import { syncTemplates, templateId } from '../../../application/templates/sync.js';
import { templateAggregate, type TemplateCommand } from '../../../domain/template/decide.js';
import type { Template } from '../../../domain/template/state.js';
import type { ProviderTemplateUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import { channelsOfAccount, type ChannelRef } from '../channels.js';

export async function applyTemplate(
  app: App,
  update: ProviderTemplateUpdate,
  context: CommandContext,
): Promise<Applied> {
  const { wabaId } = update;
  const [channel] = wabaId === null ? [] : await channelsOfAccount(app.readModels, wabaId);
  if (wabaId === null || channel === undefined)
    return { park: 'no channel belongs to this WhatsApp account' };
  const id = templateId(channel.company_uuid, wabaId, update.name, update.language);
  const { state } = await app.executor.load(templateAggregate, id);
  if (!state.exists || state.removed || update.componentsChanged) {
    // The webhook does not carry a template whole.
    await syncTemplates(
      app,
      { channelUuid: channel.uuid },
      { actor: context.actor, correlationId: context.correlationId },
    );
    return 'ok';
  }
  const command = commandFor(update, state, channel, wabaId);
  if (command === null) return { park: notKept(update) };
  await app.executor.execute(templateAggregate, id, command, {
    ...context,
    company: channel.company_uuid,
    commandId: `${context.commandId}/template`,
  });
  return 'ok';
}

function commandFor(
  update: ProviderTemplateUpdate,
  state: Template,
  channel: ChannelRef,
  wabaId: string,
): TemplateCommand | null {
  const { definition, name, language } = state;
  const status = update.event === null ? definition.status : templateStatus(update.event);
  if (status === null) return { type: 'RemoveTemplate' };
  const category =
    update.category === null || update.category.correct !== null
      ? definition.category
      : templateCategory(update.category.now);
  if (update.event === null && (update.category === null || update.category.correct !== null)) return null;
  return {
    type: 'ImportTemplate',
    companyUuid: channel.company_uuid,
    channelUuid: channel.uuid,
    wabaId,
    name,
    language,
    definition: { ...definition, status, category },
  };
}

const notKept = ({ name, language, quality, category }: ProviderTemplateUpdate): string =>
  quality === null
    ? `WhatsApp will move the template ${name} (${language}) to ${category?.correct ?? 'another category'}`
    : `the quality of the template ${name} (${language}) is now ${quality}`;
