/** Uses refused sends to update the status of their template. */
import { templateAggregate } from '../../domain/template/decide.js';
import type { ProviderError } from '../../ports/provider.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { requestRefresh } from './refresh.js';

/**
 * Meta's codes about the template rather than the message. Its parameters differ (132000, 132012, 132018), or it does
 * not exist or is not approved (132001). Its text is too long (132005) or violates a policy (132007). It is paused
 * (132015) or disabled (132016).
 */
const ABOUT_THE_TEMPLATE: ReadonlySet<number> = new Set([
  132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018,
]);

/**
 * Records the refusal, once per reason, with the status it implies (132015: PAUSED, 132016: DISABLED), and requests a
 * new fetch of the template. Ignores all other errors, so it may be called for each refusal of a template send, also
 * repeatedly. Uses the stream, not a read model.
 */
export async function noteTemplateRefusal(
  app: Pick<App, 'clock' | 'dueTimes' | 'executor'>,
  templateUuid: string,
  error: Pick<ProviderError, 'code' | 'title'>,
  context: CommandContext,
): Promise<void> {
  if (!ABOUT_THE_TEMPLATE.has(error.code)) return;
  const { state, events } = await app.executor.execute(
    templateAggregate,
    templateUuid,
    { type: 'NoteTemplateRefusal', code: error.code, title: error.title },
    { ...context, commandId: `${context.commandId}/template-refusal`, subject: null },
  );
  if (events.length === 0) return;
  await requestRefresh(app, { company_uuid: state.companyUuid, waba_id: state.wabaId, name: state.name });
}
