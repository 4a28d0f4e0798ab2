/** Resolves the buyer, and the conversation that shows the order. */
import type { ContactUuid } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { parsePhone } from '../../../domain/policies/phone.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { admitToConversation } from '../../people/admit-to-conversation.js';
import { resolveContact } from '../../people/resolve-contact.js';
import { foundOrAbsent } from '../../found-or-absent.js';
import { chooseChannel } from '../../send/choose-channel.js';
import type { OpenStore } from '../gate.js';
import type { Buyer, OrderInput } from './input.js';

/**
 * Finds or creates the contact of the customer's phone. Every order has a contact: its personal fields are sealed under
 * that person's key, so that erasing the contact erases them.
 * @throws Refusal validation_failed
 */
export async function resolveBuyer(
  app: Pick<
    App,
    | 'barrier'
    | 'clock'
    | 'executor'
    | 'indexSecret'
    | 'lastOrdinals'
    | 'personOwners'
    | 'readModels'
    | 'store'
  >,
  store: OpenStore,
  { customer, buyer, source, tracking }: OrderInput,
  context: CommandContext,
): Promise<Buyer> {
  if (buyer) return buyer;
  const { companyUuid } = store.state;
  const phone = parsePhone(customer.phone ?? '', 'customer.phone');
  const person = { phone: phone.e164, phoneKey: phone.key, waUserId: null, name: customer.name };
  const own = { ...context, commandId: `${context.commandId}/buyer` };
  const { uuid, subject, contact } = await resolveContact(app, companyUuid, person, 'store', own);
  await attribute(app, uuid, subject, tracking, own);
  const channelUuid = await channelOf(app, store);
  const conversationUuid =
    channelUuid === null
      ? null
      : await admitToConversation(
          app,
          { companyUuid, channelUuid, contactUuid: uuid, absorbed: contact.absorbed },
          // A buyer's order reopens a pending conversation, like an inbound message; one entered by the shop does not.
          source === 'storefront' ? 'inbound' : 'outbound',
          { ...own, subject: null },
        );
  return { contactUuid: uuid, subject, conversationUuid };
}

/** First touch only, as with ads: the attribution of a known contact is not overwritten. */
async function attribute(
  app: Pick<App, 'executor'>,
  contactUuid: ContactUuid,
  subject: string,
  tracking: OrderInput['tracking'],
  context: CommandContext,
): Promise<void> {
  if (Object.keys(tracking).length === 0) return;
  try {
    await app.executor.execute(
      contactAggregate,
      contactUuid,
      { type: 'AttributeContact', customFields: tracking },
      { ...context, commandId: `${context.commandId}/attribution`, subject },
    );
  } catch (error) {
    // Merged a moment ago: the order itself contains the attribution too.
    if (!(error instanceof Refusal) || error.code !== 'contact_merged') throw error;
  }
}

/** The store's own channel, or the company's only one; null when no channel is connected. */
async function channelOf(
  app: Pick<App, 'barrier' | 'readModels'>,
  { state }: OpenStore,
): Promise<string | null> {
  const choose = async (): Promise<string | undefined> => {
    try {
      return (await chooseChannel(app.readModels, state.companyUuid, state.channelUuid ?? undefined)).uuid;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return undefined;
    }
  };
  return (await foundOrAbsent(app, ['channels'], choose)) ?? null;
}
