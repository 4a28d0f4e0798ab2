/**
 * A change of a message template in the WhatsApp account (spec §2, Template). The content of the webhook applies at
 * once. Webhooks repeat, overtake each other and never contain a whole template, so the template itself is then
 * fetched.
 */
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { templateId } from '../../../application/templates/import.js';
import { requestRefresh } from '../../../application/templates/refresh.js';
import { templateAggregate, type TemplateCommand } from '../../../domain/template/decide.js';
import type { ProviderTemplateUpdate } from '../../../ports/provider-webhook.js';
import type { Applied } from '../applied.js';
import { channelsOfAccount } from '../channels.js';

export async function applyTemplate(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor' | 'readModels'>,
  update: ProviderTemplateUpdate,
  context: CommandContext,
): Promise<Applied> {
  const { wabaId, name } = update;
  const channels = wabaId === null ? [] : await channelsOfAccount(app.readModels, wabaId);
  if (wabaId === null || channels.length === 0)
    return { park: 'no channel belongs to this WhatsApp account' };
  // The numbers of an account may be connected to several companies; each has its own copy of the template.
  for (const company of new Set(channels.map(({ company_uuid }) => company_uuid))) {
    await app.executor.execute(
      templateAggregate,
      templateId(company, wabaId, name, update.language),
      reportOf(update),
      { ...context, company, commandId: `${context.commandId}/template/${company}` },
    );
    await requestRefresh(app, { company_uuid: company, waba_id: wabaId, name });
  }
  return 'ok';
}

function reportOf({ event, reason, quality, category }: ProviderTemplateUpdate): TemplateCommand {
  return {
    type: 'ReportTemplate',
    ...(event === null ? {} : { status: event, rejectedReason: event === 'REJECTED' ? reason : null }),
    ...(quality === null ? {} : { quality }),
    ...(category === null
      ? {}
      : category.correct === null
        ? { category: category.now }
        : { category: category.now, upcomingCategory: category.correct }),
  };
}
