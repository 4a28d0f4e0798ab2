/** The history of a shop with many messages, written directly into the store. */
import { newId } from '../../adapters/clock/system.js';
import type { EventCodec } from '../../application/codec.js';
import { contactEventExamples } from '../support/examples/contact.js';
import { conversationEventExamples } from '../support/examples/conversation.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import {
  contactStream,
  conversationStream,
  messageStream,
  operationStream,
  productStream,
} from '../../domain/streams.js';
import { messageEventExamples } from '../support/examples/message.js';
import { operationEventExamples } from '../support/examples/operation.js';
import { productEventExamples } from '../support/examples/product.js';
import type { EventStore } from '../../ports/event-store.js';

export interface HistoryPlan {
  readonly events: number;
  /** Share of the events with personal fields, which are sealed and must be opened again. */
  readonly sealed: 'none' | 'some' | 'all';
  readonly company: string;
  readonly channel: string;
}

interface Written {
  readonly events: number;
  readonly sealed: number;
  /** Ids of some of the resulting documents, by collection. */
  readonly contacts: readonly string[];
  readonly products: readonly string[];
}

/** Approximate number of messages per contact. */
const PER_CONTACT = 12;
const AT_ONCE = 200;
const SAMPLE = 500;

export async function writeHistory(
  store: EventStore,
  codec: EventCodec,
  { events, sealed: wanted, company, channel }: HistoryPlan,
): Promise<Written> {
  let written = 0;
  let sealed = 0;
  const contacts: string[] = [];
  const products: string[] = [];
  let pending: Promise<unknown>[] = [];

  async function add(stream: string, subject: string, ...list: readonly DomainEvent[]): Promise<void> {
    const records = [];
    for (const event of list) {
      const id = newId();
      const record = await codec.encode(
        event,
        id,
        {
          correlation_id: id,
          causation_id: id,
          command_id: id,
          actor: 'bench',
          company,
          occurred_at: new Date(1_770_000_000_000 + written * 50).toISOString(),
          schema_version: 1,
        },
        subject,
      );
      if ('sealed' in record.data) sealed += 1;
      records.push(record);
      written += 1;
    }
    pending.push(store.append(stream, 'no_stream', records));
    if (pending.length < AT_ONCE) return;
    await Promise.all(pending);
    pending = [];
  }

  while (written < events) {
    if (wanted === 'none') {
      const uuid = newId();
      if (products.length < SAMPLE) products.push(uuid);
      await add(productStream.toName(uuid), '', ...productEvents(company, products.length));
      continue;
    }
    const subject = newId();
    const contact = newId();
    const conversation = newId();
    const phone = `+55119${String(10_000_000 + (written % 89_000_000))}`;
    if (contacts.length < SAMPLE) contacts.push(contact);
    await add(
      contactStream.toName(contact),
      subject,
      changed(contactEventExamples.created, {
        company_uuid: company,
        subject,
        phone,
        phone_key: phone.slice(1),
      }),
      contactEventExamples.named,
    );
    const { opened, customerWrote } = conversationEventExamples;
    await add(
      conversationStream.toName(conversation),
      subject,
      changed(opened, { company_uuid: company, channel_uuid: channel, contact_uuid: contact }),
      customerWrote,
    );
    for (let n = 0; n < PER_CONTACT && written < events; n += 1) {
      const place = {
        company_uuid: company,
        channel_uuid: channel,
        conversation_uuid: conversation,
        contact_uuid: contact,
      };
      const message = newId();
      const { received, queued, accepted, sent, delivered, read } = messageEventExamples;
      if (wanted === 'all' || n % 3 === 0) {
        await add(messageStream.toName(message), subject, changed(received, place));
        continue;
      }
      const operation = newId();
      const { accepted: asked, attempted, succeeded } = operationEventExamples;
      await add(
        operationStream.toName(operation),
        subject,
        changed(asked, { company_uuid: company, channel_uuid: channel, subject, phone }),
        changed(attempted, {
          channel_uuid: channel,
          subject,
          contact_uuid: contact,
          conversation_uuid: conversation,
          message_uuid: message,
        }),
        succeeded,
      );
      await add(
        messageStream.toName(message),
        subject,
        changed(queued, { ...place, operation_uuid: operation }),
        accepted,
        sent,
        delivered,
        read,
      );
    }
  }
  await Promise.all(pending);
  return { events: written, sealed, contacts, products };
}

const changed = (event: DomainEvent, over: object): DomainEvent => ({
  ...event,
  data: { ...(event.data as object), ...over },
});

/** A product and its later changes, without personal data. */
function productEvents(company: string, n: number): readonly DomainEvent[] {
  const { created, changed: priced, stockSet, stockTaken } = productEventExamples;
  const named = { company_uuid: company, name: `Sonho de valsa ${n}`, import_handle: `sonho-${n}` };
  return [changed(created, named), priced, stockSet, stockTaken, stockTaken, priced];
}
