/**
 * Contacts that proved to be one person (a phone seen together with a WhatsApp user id, or an operator's command).
 *
 * The older contact survives, and their order by age never changes. So two processes that merge the same pair
 * concurrently agree, and pointers from contact to contact never form a cycle. The decision is recorded first in the
 * other contact's stream, which it closes: its data is final from then on. The survivor then absorbs that data, and the
 * identities are re-pointed to it. Each step may be repeated, and any caller that finds a merged contact finishes what
 * a crash may have left undone.
 */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { Contact } from '../../domain/contact/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { contactStream } from '../../domain/streams.js';
import { contacts } from '../../read-models/contacts.js';
import { conversations } from '../../read-models/conversations.js';
import type { App } from '../app.js';
import { keepOneOpen } from '../conversation/current.js';
import type { CommandContext } from '../execute.js';
import { externalIdentity, personIdentity } from './subject.js';

export interface PrimaryContact {
  readonly uuid: string;
  readonly contact: Contact;
}

/** Chains are short: each merge re-points identities to the end of the chain. */
const MAX_CHAIN = 20;

/** The contact that this one was merged into, at the end of the chain; itself when it was not merged. */
export async function primaryContactOf(app: Pick<App, 'executor'>, uuid: string): Promise<PrimaryContact> {
  let at = uuid;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const { state } = await app.executor.load(contactAggregate, at);
    if (state.mergedInto === null) return { uuid: at, contact: state };
    at = state.mergedInto;
  }
  throw new Error(`contact ${uuid} was merged more than ${MAX_CHAIN} times over`);
}

/** All uuids of a person: the contact that this one is part of, then those that were merged into it. */
export async function uuidsOfPerson(app: Pick<App, 'executor'>, uuid: string): Promise<readonly string[]> {
  const primary = await primaryContactOf(app, uuid);
  return [primary.uuid, ...primary.contact.absorbed];
}

/** The same for a caller that is about to write: finishes an interrupted merge first. */
export async function primaryContactAfterMerge(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  uuid: string,
  context: CommandContext,
): Promise<PrimaryContact> {
  const { state } = await app.executor.load(contactAggregate, uuid);
  if (state.mergedInto === null) return { uuid, contact: state };
  return finishMerge(app, uuid, context);
}

/**
 * The person whose key seals data that came in for one of these contacts: the survivor, or one that was erased before it
 * was merged. Only that contact's key knows what came in before the erasure.
 */
export async function subjectOfDataFor(
  app: Pick<App, 'executor'>,
  survivor: PrimaryContact,
  uuids: readonly string[],
): Promise<string> {
  for (const uuid of uuids) {
    if (uuid === survivor.uuid) continue;
    const { state } = await app.executor.load(contactAggregate, uuid);
    if (state.everErased) return state.subject;
  }
  return survivor.contact.subject;
}

/** The contact at the end of the chain, with the subject that seals data which came in for these contacts. */
export async function primaryContactForData(
  app: Pick<App, 'executor'>,
  uuid: string,
  uuids: readonly string[] = [uuid],
): Promise<PrimaryContact & { readonly subject: string }> {
  const primary = await primaryContactOf(app, uuid);
  return { ...primary, subject: await subjectOfDataFor(app, primary, uuids) };
}

/**
 * Merges two contacts of a company and returns the survivor. Merging them again changes nothing.
 * @throws Refusal not_found when one of them is not the company's
 */
export async function mergeContacts(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels' | 'store'>,
  companyUuid: CompanyUuid,
  pair: readonly [string, string],
  reason: 'same_person' | 'manual',
  context: CommandContext,
): Promise<PrimaryContact> {
  app.executor.alone();
  for (let attempt = 0; attempt < MAX_CHAIN; attempt += 1) {
    const [one, other] = await Promise.all([primaryContactOf(app, pair[0]), primaryContactOf(app, pair[1])]);
    for (const { contact } of [one, other]) {
      if (!contact.exists || contact.companyUuid !== companyUuid) {
        throw new Refusal('not_found', 'There is no such contact.', { resource: 'contact' });
      }
    }
    // Also when they are already one: the merge may have been interrupted.
    for (const uuid of pair) await primaryContactAfterMerge(app, uuid, context);
    if (one.uuid === other.uuid) return one;
    const [goesOn, ends] = (await isOlder(app, one.uuid, other.uuid)) ? [one, other] : [other, one];
    await app.executor.execute(
      contactAggregate,
      ends.uuid,
      { type: 'MergeInto', contactUuid: goesOn.uuid, reason },
      { ...context, commandId: `${context.commandId}/merge/${ends.uuid}`, subject: ends.contact.subject },
    );
  }
  throw new Refusal('concurrent_update', 'The contacts are being merged by others. Try again.', {
    retry_after_seconds: 1,
  });
}

async function isOlder(app: Pick<App, 'store'>, a: string, b: string): Promise<boolean> {
  const begin = async (uuid: string): Promise<string> => {
    const [record] = await app.store.read(contactStream.toName(uuid), { limit: 1 });
    return `${record?.meta.occurred_at ?? ''} ${uuid}`;
  };
  const [first, second] = await Promise.all([begin(a), begin(b)]);
  return first < second;
}

async function finishMerge(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  ended: string,
  context: CommandContext,
): Promise<PrimaryContact> {
  app.executor.alone();
  // Read before an erasure, the data belongs to it, even if it is written afterwards.
  const dataFrom = Math.min(app.clock.now(), context.dataFrom ?? Infinity);
  const { state: gone } = await app.executor.load(contactAggregate, ended);
  const lastSeen = (await app.readModels.get(contacts.name, ended))?.doc;
  let survivor: PrimaryContact;
  for (;;) {
    const target = await primaryContactOf(app, ended);
    try {
      const { state } = await app.executor.execute(
        contactAggregate,
        target.uuid,
        {
          type: 'AbsorbContact',
          data: {
            contact_uuid: ended,
            absorbed_uuids: [...gone.absorbed],
            phone: gone.phone,
            phone_key: gone.phoneKey,
            phone_keys: [...gone.phoneKeys],
            wa_user_id: gone.waUserId,
            wa_user_ids: [...gone.userIds],
            name: gone.name,
            email: gone.email,
            tags: [...gone.tags],
            custom_fields: { ...gone.customFields },
            wa_ids: { ...gone.waIds },
            links: { ...gone.links },
            external_ids: { ...gone.externalIds },
            opted_out: gone.optedOut,
            wish_at: gone.wishAt,
            attributed: gone.attributed,
            last_interaction_at: lastSeen?.last_interaction_at ?? null,
          },
        },
        {
          ...context,
          dataFrom,
          commandId: `absorb/${ended}/${context.commandId}`,
          subject: target.contact.subject,
        },
      );
      survivor = { uuid: target.uuid, contact: state };
      break;
    } catch (error) {
      // The survivor was merged itself in the meantime: follow it to its own survivor.
      if (!(error instanceof Refusal) || error.code !== 'contact_merged') throw error;
    }
  }
  for (const { stream, kind } of identitiesOf(app, gone)) {
    await handOver(app, stream, kind, ended, survivor.uuid, context);
  }
  await joinConversations(app, ended, survivor, context);
  return survivor;
}

/** Maximum conversations of the ended contact, over all channels. */
const MAX_CONVERSATIONS = 200;

/**
 * A merged person has one open conversation per channel. Those that the read model does not show yet are joined at the
 * next message.
 */
async function joinConversations(
  app: Pick<App, 'executor' | 'readModels'>,
  ended: string,
  survivor: PrimaryContact,
  context: CommandContext,
): Promise<void> {
  const { documents } = await app.readModels.find(conversations.name, {
    index: 'by_contact_channel',
    equals: [ended],
    order: 'desc',
    limit: MAX_CONVERSATIONS,
  });
  for (const channelUuid of new Set(documents.map(({ doc }) => doc.channel_uuid))) {
    const { uuid: contactUuid, contact } = survivor;
    await keepOneOpen(app, { contactUuid, absorbed: contact.absorbed, channelUuid }, context);
  }
}

/** Streams of all identities of a contact. */
export function identitiesOf(
  app: Pick<App, 'indexSecret'>,
  contact: Contact,
): readonly { readonly stream: string; readonly kind: 'phone' | 'wa_user_id' | 'external_id' }[] {
  const { indexSecret } = app;
  const person = (kind: 'phone' | 'wa_user_id') => (who: string) => ({
    stream: personIdentity(indexSecret, contact.companyUuid, who),
    kind,
  });
  return [
    ...contact.phoneKeys.map(person('phone')),
    ...contact.userIds.map(person('wa_user_id')),
    ...Object.entries(contact.externalIds).flatMap(([integration, ids]) =>
      ids.map((id) => ({
        stream: externalIdentity(indexSecret, integration, id),
        kind: 'external_id' as const,
      })),
    ),
  ];
}

/** An identity that belongs to another contact by now stays there. */
async function handOver(
  app: Pick<App, 'executor'>,
  stream: string,
  kind: string,
  from: string,
  to: string,
  context: CommandContext,
): Promise<void> {
  try {
    await app.executor.execute(
      identityAggregate,
      stream,
      { type: 'TransferIdentity', kind, from, to },
      { ...context, commandId: `${context.commandId}/hand-over/${stream}`, subject: null },
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
  }
}
