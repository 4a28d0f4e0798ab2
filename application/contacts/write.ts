/** Commands of callers on a contact; each returns the contact as it is afterwards. */
import { contactAggregate, type ContactCommand } from '../../domain/contact/decide.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ContactDetails } from '../../domain/policies/contact-details.js';
import { contactStream } from '../../domain/streams.js';
import { contacts } from '../../read-models/contacts.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { primaryContactAfterMerge, type PrimaryContact } from '../people/primary-contact.js';
import type { StoredContact } from './read.js';

/** A concurrent merge may interrupt; more than a few in a row is a fault. */
const ATTEMPTS = 5;

/**
 * Executes a command on a contact, or on the contact it was merged into.
 * @throws Refusal not_found for another company's contact; the decider's refusals
 */
export async function commandContact(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  companyUuid: CompanyUuid,
  uuid: string,
  command: ContactCommand,
  context: CommandContext,
): Promise<PrimaryContact> {
  for (let attempt = 1; ; attempt += 1) {
    const { uuid: target, contact } = await primaryContactAfterMerge(app, uuid, context);
    if (!contact.exists || contact.companyUuid !== companyUuid) throw unknown(uuid);
    try {
      const { state } = await app.executor.execute(contactAggregate, target, command, {
        ...context,
        commandId: `${context.commandId}/${command.type}/${target}`,
        // Dated data has a subject of its own: the person may have been erased before the contacts were merged.
        subject: (context.dataFrom === undefined ? null : context.subject) ?? contact.subject,
      });
      return { uuid: target, contact: state };
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'contact_merged' || attempt >= ATTEMPTS) throw error;
    }
  }
}

/**
 * PATCH /contacts/{contact_uuid}: fields left out are preserved (spec §4).
 * @throws Refusal not_found, validation_failed, concurrent_update
 */
export async function changeContact(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels' | 'replay'>,
  companyUuid: CompanyUuid,
  uuid: string,
  details: ContactDetails,
  source: 'api' | 'admin' | 'import' | 'flow',
  context: CommandContext,
): Promise<StoredContact> {
  const changed = await commandContact(
    app,
    companyUuid,
    uuid,
    { type: 'ChangeContact', source, details },
    context,
  );
  return contactAfterWrite(app, changed.uuid);
}

/**
 * The contact as its stream has it now, including recent writes, regardless of the read model's lag.
 * `last_interaction_at` has no event of its own, so it comes from the read model.
 */
export async function contactAfterWrite(
  app: Pick<App, 'readModels' | 'replay'>,
  uuid: string,
): Promise<StoredContact> {
  const [own, shown] = await Promise.all([
    app.replay(contacts.name, contactStream.toName(uuid)),
    app.readModels.get(contacts.name, uuid),
  ]);
  if (!own) throw unknown(uuid);
  return { ...own, last_interaction_at: shown?.doc.last_interaction_at ?? own.last_interaction_at };
}

export const unknown = (uuid: string): Refusal =>
  new Refusal('not_found', 'There is no such contact in your company.', { resource: 'contact', uuid });
