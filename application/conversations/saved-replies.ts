/** Texts that the team answers customers with. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { savedRepliesAggregate, type SavedRepliesCommand } from '../../domain/saved-replies/decide.js';
import type { SavedReply } from '../../domain/saved-replies/state.js';
import { directCommand, type App } from '../app.js';
import { loadCompany, notFound, type Caller, type Written } from '../provisioning/common.js';

interface ReplyRef {
  readonly companyUuid: CompanyUuid;
  readonly replyUuid: string;
}

/** @throws Refusal not_found (of the company), saved_replies_full, short_cut_taken, validation_failed */
export async function addSavedReply(
  app: Pick<App, 'executor' | 'newId'>,
  input: SavedReply & { readonly companyUuid: CompanyUuid },
  caller: Caller,
): Promise<Written & { readonly replyUuid: string }> {
  await loadCompany(app, input.companyUuid);
  const reply = { ...input, replyUuid: app.newId() };
  const { position } = await run(app, reply, { type: 'AddSavedReply', ...reply }, caller);
  return { replyUuid: reply.replyUuid, position };
}

/** @throws Refusal not_found, short_cut_taken, validation_failed */
export const changeSavedReply = (
  app: Pick<App, 'executor' | 'newId'>,
  { companyUuid, replyUuid, ...content }: ReplyRef & Partial<SavedReply>,
  caller: Caller,
): Promise<Written> =>
  run(app, { companyUuid, replyUuid }, { type: 'ChangeSavedReply', replyUuid, ...content }, caller);

/** @throws Refusal not_found, also for one that was already removed */
export async function removeSavedReply(
  app: Pick<App, 'executor' | 'newId'>,
  input: ReplyRef,
  caller: Caller,
): Promise<Written> {
  const { replyUuid } = input;
  const { state } = await app.executor.load(savedRepliesAggregate, input.companyUuid);
  if (!Object.hasOwn(state.replies, replyUuid)) throw notFound('saved_reply', 'saved reply');
  return run(app, input, { type: 'RemoveSavedReply', replyUuid }, caller);
}

async function run(
  app: Pick<App, 'executor' | 'newId'>,
  { companyUuid }: ReplyRef,
  command: SavedRepliesCommand,
  caller: Caller,
): Promise<Written> {
  const context = directCommand(app, { company: companyUuid, ...caller });
  const { position } = await app.executor.execute(savedRepliesAggregate, companyUuid, command, context);
  return { position };
}
