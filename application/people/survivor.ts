/**
 * Contacts that proved to be one person (a phone seen beside a WhatsApp user id, or an operator's word).
 *
 * The older one goes on; which one that is never changes, so two processes that merge the same two at once agree, and
 * pointers from contact to contact never go round in a circle. The other one's stream takes the decision first and is
 * closed by it: what it held is final from then on. Then the one that goes on takes that over, then the identities are
 * re-pointed. Each step may be repeated, and whoever comes upon a contact that was merged finishes what a crash may have
 * left undone.
 */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { Contact } from '../../domain/contact/state.js';
import { contactStream } from '../../domain/contact/stream.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { contacts } from '../../read-models/contacts.js';
import { conversations } from '../../read-models/conversations.js';
import type { App } from '../app.js';
import { keepOneOpen } from '../conversation/current.js';
import type { CommandContext } from '../execute.js';
import { externalIdentity, personIdentity } from './subject.js';

export interface Survivor {
  readonly uuid: string;
  readonly contact: Contact;
}

/** Chains are short: each merge re-points identities to where the chain ends. */
const MAX_CHAIN = 20;

/** The contact that goes on for this one: itself, unless it was merged. */
export async function survivorOf(app: App, uuid: string): Promise<Survivor> {
  let at = uuid;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const { state } = await app.executor.load(contactAggregate, at);
    if (state.mergedInto === null) return { uuid: at, contact: state };
    at = state.mergedInto;
  }
  throw new Error(`contact ${uuid} was merged more than ${MAX_CHAIN} times over`);
}

/** The same for somebody who is about to write: a merge that was broken off is finished first. */
export async function finishedSurvivorOf(app: App, uuid: string, context: CommandContext): Promise<Survivor> {
  const { state } = await app.executor.load(contactAggregate, uuid);
  if (state.mergedInto === null) return { uuid, contact: state };
  return finishMerge(app, uuid, context);
}

/**
 * Makes two contacts of a company one and answers the one that goes on. Merging what was merged before changes nothing.
 * @throws Refusal not_found when one of them is not the company's
 */
export async function mergeContacts(
  app: App,
  companyUuid: string,
  pair: readonly [string, string],
  reason: 'same_person' | 'manual',
  context: CommandContext,
): Promise<Survivor> {
  for (let attempt = 0; attempt < MAX_CHAIN; attempt += 1) {
    const [one, other] = await Promise.all([survivorOf(app, pair[0]), survivorOf(app, pair[1])]);
    for (const { contact } of [one, other]) {
      if (!contact.exists || contact.companyUuid !== companyUuid) {
        throw new Refusal('not_found', 'There is no such contact.', { resource: 'contact' });
      }
    }
    // Also when they are one already: the merge may have been broken off.
    for (const uuid of pair) await finishedSurvivorOf(app, uuid, context);
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

async function isOlder(app: App, a: string, b: string): Promise<boolean> {
  const begin = async (uuid: string): Promise<string> => {
    const [record] = await app.store.read(contactStream.toName(uuid), { limit: 1 });
    return `${record?.meta.occurred_at ?? ''} ${uuid}`;
  };
  const [first, second] = await Promise.all([begin(a), begin(b)]);
  return first < second;
}

async function finishMerge(app: App, ended: string, context: CommandContext): Promise<Survivor> {
  const { state: gone } = await app.executor.load(contactAggregate, ended);
  const lastSeen = (await app.readModels.get(contacts.name, ended))?.doc;
  let survivor: Survivor;
  for (;;) {
    const target = await survivorOf(app, ended);
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
          commandId: `absorb/${ended}/${context.commandId}`,
          subject: target.contact.subject,
        },
      );
      survivor = { uuid: target.uuid, contact: state };
      break;
    } catch (error) {
      // It was merged itself in the meantime: go on to where it went.
      if (!(error instanceof Refusal) || error.code !== 'contact_merged') throw error;
    }
  }
  for (const { stream, kind } of identitiesOf(app, gone)) {
    await handOver(app, stream, kind, ended, survivor.uuid, context);
  }
  await joinConversations(app, ended, survivor, context);
  return survivor;
}

/** Of the contact that ended, on all channels together. */
const MAX_CONVERSATIONS = 200;

/** Two people who are one have one open conversation on each channel. What read models don't show yet, the next message settles. */
async function joinConversations(
  app: App,
  ended: string,
  survivor: Survivor,
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

/** Streams of everything that a contact is found by. */
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

/** What belongs to somebody else by now stays there. */
async function handOver(
  app: App,
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
