/** What a refused send teaches about its template. */
import { templateAggregate } from '../../domain/template/decide.js';
import type { ProviderError } from '../../ports/provider.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { requestRefresh } from './refresh.js';

/**
 * Meta's codes that are about the template rather than the message: its parameters are other ones (132000, 132012,
 * 132018), it is not there or not approved (132001), its text is too long (132005) or against the rules (132007), it is
 * paused (132015) or disabled (132016).
 */
const ABOUT_THE_TEMPLATE: ReadonlySet<number> = new Set([
  132000, 132001, 132005, 132007, 132012, 132015, 132016, 132018,
]);

/**
 * Records the refusal, once per reason, with the status it implies (132015: PAUSED, 132016: DISABLED), and has the
 * template fetched anew. For any other error nothing happens, so it may be called for each refusal of a template send,
 * also again. Works on the stream, not on a read model.
 */
export async function noteTemplateRefusal(
  app: App,
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
