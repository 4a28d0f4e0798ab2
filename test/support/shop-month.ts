/**
 * A month of a shop, the same in every run: a campaign, refusals by gates, customers' questions and their answers,
 * orders from several sources, and statuses by the hour. The expected figures are counted during generation, not
 * computed from the events.
 */
import { chance } from './chance.js';
import type { App } from '../../application/app.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import { deriveId } from '../../domain/kernel/ids.js';

export interface Truth {
  /** Number of people, by step of the funnel. */
  readonly funnel: Readonly<Record<string, number>>;
  /** Number of messages, by `gate category`. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Minutes until each question was answered, by hour. */
  readonly waits: Readonly<Record<number, readonly number[]>>;
  /** Revenue in cents, by `product|came_from`. */
  readonly revenue: Readonly<Record<string, number>>;
  /** Number of messages, by `hour status`. */
  readonly statuses: Readonly<Record<string, number>>;
  /** People who opted out after the campaign reached them. */
  readonly optOuts: number;
}

const COMPANY = deriveId('shop-month', 'company');
const CHANNEL = deriveId('shop-month', 'channel');
const STORE = deriveId('shop-month', 'store');
const TEMPLATE = deriveId('shop-month', 'template');
const CUSTOMERS = 300;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** 1 November 2026, 00:00 in São Paulo. */
const FIRST_DAY = Date.parse('2026-11-01T03:00:00.000Z');
const CAMPAIGN_DAY = FIRST_DAY + 19 * DAY;

const PRODUCTS = [
  { name: 'Camiseta Aurora', cents: 7_990 },
  { name: 'Tênis Ipê', cents: 24_900 },
  { name: 'Caneca Maré Alta', cents: 3_490 },
  { name: 'Vestido Caatinga', cents: 18_950 },
] as const;
const GATES = [
  'recipient_opted_out',
  'template_frequency_cap_exceeded',
  'recipient_marketing_limit_reached',
  'duplicate_template_send',
  'company_daily_marketing_cap_exceeded',
] as const;

interface Happened {
  readonly at: number;
  readonly category: string;
  readonly id: string;
  readonly event: DomainEvent;
  readonly subject: string | null;
}

const uuid = (...parts: (string | number)[]): string => deriveId('shop-month', ...parts);
const hourOf = (at: number): number => Math.floor(((at - FIRST_DAY) % DAY) / HOUR);

export function shopMonth(): { readonly events: readonly Happened[]; readonly truth: Truth } {
  const random = chance(20_261_101);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low));
  const events: Happened[] = [];
  const funnel: Record<string, number> = {};
  const refusals: Record<string, number> = {};
  const waits: Record<number, number[]> = {};
  const revenue: Record<string, number> = {};
  const statuses: Record<string, number> = {};
  let optOuts = 0;
  const count = (counts: Record<string, number>, key: string, by = 1): void => {
    counts[key] = (counts[key] ?? 0) + by;
  };
  const happen = (
    at: number,
    category: string,
    id: string,
    type: string,
    data: Record<string, unknown>,
    subject: string | null = null,
  ): void => void events.push({ at, category, id, event: { type, data }, subject });

  function personOf(n: number) {
    const [contact, subject] = [uuid('contact', n), uuid('subject', n)];
    const place = {
      company_uuid: COMPANY,
      channel_uuid: CHANNEL,
      conversation_uuid: uuid('conversation', n),
      contact_uuid: contact,
    };
    return { contact, subject, place };
  }

  /** Sends a message and records its statuses up to `reaches`. Returns the time of each status. */
  function send(
    n: number,
    what: string,
    at: number,
    template: boolean,
    reaches: 'sent' | 'delivered' | 'read',
  ) {
    const { contact, subject, place } = personOf(n);
    const [operation, message] = [uuid('operation', n, what), uuid('message', n, what)];
    accept(n, operation, at, template);
    const provider_message_id = `wamid.${n}.${what}`;
    happen(at + 800, 'operation', operation, 'SendAttempted', {
      attempt: 1,
      channel_uuid: CHANNEL,
      subject,
      channel_interval_ms: 16,
      contact_uuid: contact,
      conversation_uuid: place.conversation_uuid,
      message_uuid: message,
    });
    const content = { text: 'Olá!' };
    happen(
      at + 900,
      'message',
      message,
      'MessageQueued',
      { ...place, type: template ? 'template' : 'text', content, operation_uuid: operation, text: 'Olá!' },
      subject,
    );
    happen(at + 1_200, 'message', message, 'MessageAccepted', { provider_message_id, held: false });
    happen(at + 1_200, 'operation', operation, 'SendSucceeded', {
      provider_message_id,
      status: 'sent',
      evidence: 'answer',
      execution_uuid: null,
    });
    const times = {
      sent: at + 1_500,
      delivered: at + between(2, 20) * 1_000,
      read: at + between(1, 180) * MINUTE,
    };
    for (const status of ['sent', 'delivered', 'read'] as const) {
      const reported = times[status];
      happen(reported, 'message', message, 'MessageStatusReported', {
        status,
        at: new Date(reported).toISOString(),
        provider_message_id,
        errors: [],
        pricing: null,
      });
      count(statuses, `${hourOf(reported)} ${status}`);
      if (status === reaches) break;
    }
    return times;
  }

  function accept(n: number, operation: string, at: number, template: boolean): void {
    const { subject } = personOf(n);
    happen(
      at,
      'operation',
      operation,
      'SendAccepted',
      {
        company_uuid: COMPANY,
        integration_uuid: uuid('integration'),
        execution_uuid: null,
        channel_uuid: CHANNEL,
        contact_uuid: null,
        subject,
        fingerprint: operation,
        phone: `+55119${String(80_000_000 + n)}`,
        external_id: null,
        message_type: template ? 'template' : 'text',
        content: { text: 'Olá!' },
        components: [],
        text: 'Olá!',
        template_uuid: template ? TEMPLATE : null,
        template_category: template ? 'MARKETING' : null,
        deadline: new Date(at + 15 * MINUTE).toISOString(),
      },
      subject,
    );
  }

  function refuse(n: number, what: string, at: number, code: string, template: boolean): void {
    const operation = uuid('operation', n, what);
    accept(n, operation, at, template);
    happen(at + 500, 'operation', operation, 'SendFailed', {
      code,
      message: 'It was not sent.',
      details: {},
      execution_uuid: null,
    });
    count(refusals, `${code} ${template ? 'MARKETING' : 'text'}`);
  }

  function receive(n: number, what: string, at: number): void {
    const { subject, place } = personOf(n);
    const data = {
      ...place,
      type: 'text',
      content: { text: 'Tem no tamanho M?' },
      provider_message_id: `wamid.in.${n}.${what}`,
      sent_at: new Date(at - 1_000).toISOString(),
      context: null,
      referral: null,
    };
    happen(at, 'message', uuid('inbound', n, what), 'MessageReceived', data, subject);
  }

  function order(n: number, what: string, at: number, tracking: Record<string, string>, ends: string): void {
    const { contact, subject, place } = personOf(n);
    const id = uuid('order', n, what);
    const chosen = PRODUCTS.filter((_, index) => index === n % PRODUCTS.length || random() < 0.25);
    const items = chosen.map(({ name, cents }, line) => {
      const quantity = between(1, 4);
      return {
        uuid: uuid('item', id, line),
        product_uuid: uuid('product', name),
        variant_uuid: null,
        import_handle: null,
        sku: null,
        gtin: null,
        ncm: null,
        name,
        variant_name: null,
        options: {},
        quantity,
        list_price_cents: cents,
        unit_price_cents: cents,
        total_cents: quantity * cents,
        stock_tracked: false,
        stock_taken: 0,
        image_hash: null,
      };
    });
    const total = items.reduce((sum, item) => sum + item.total_cents, 0);
    happen(
      at,
      'order',
      id,
      'OrderPlaced',
      {
        company_uuid: COMPANY,
        store_uuid: STORE,
        number: n + 1,
        source: 'storefront',
        contact_uuid: contact,
        conversation_uuid: place.conversation_uuid,
        customer: { name: 'Cliente', phone: `+55119${String(80_000_000 + n)}` },
        items,
        subtotal_cents: total,
        discount_cents: 0,
        delivery_fee_cents: 0,
        total_cents: total,
        fulfillment: 'pickup',
        address: {},
        pickup_location: 'Loja',
        payment_method: 'pix',
        pix: null,
        payment_link: null,
        note: null,
        item_notes: {},
        tracking,
        message_uuid: null,
      },
      subject,
    );
    if (ends === 'open') return;
    happen(at + 10 * MINUTE, 'order', id, 'OrderConfirmed', {});
    happen(at + 30 * MINUTE, 'order', id, 'OrderPaid', {});
    if (ends === 'cancelled') {
      happen(at + DAY, 'order', id, 'OrderCancelled', { reason: 'desistência' });
      return;
    }
    const from = 'ctwa_clid' in tracking ? 'click-to-WhatsApp ad' : (tracking['utm_campaign'] ?? 'direct');
    for (const item of items) count(revenue, `${item.name}|${from}`, item.total_cents);
  }

  happen(FIRST_DAY, 'template', TEMPLATE, 'TemplateImported', {
    company_uuid: COMPANY,
    channel_uuid: CHANNEL,
    waba_id: '1',
    name: 'black_friday',
    language: 'pt_BR',
    provider_template_id: '1',
    status: 'APPROVED',
    provider_status: 'APPROVED',
    category: 'MARKETING',
    provider_category: 'MARKETING',
    parameter_format: 'POSITIONAL',
    components: [],
    rejected_reason: null,
  });

  for (let n = 0; n < CUSTOMERS; n += 1) {
    // Before the campaign some customers ask questions. Later in the day the answers take longer.
    if (n % 3 === 0) {
      const hour = between(8, 22);
      const asked = FIRST_DAY + between(0, 17) * DAY + hour * HOUR + between(0, 50) * MINUTE;
      const minutes = hour < 18 ? between(1, 25) : between(20, 150);
      receive(n, 'question', asked);
      // A second message while the customer waits does not count as a question of its own.
      if (n % 2 === 0) receive(n, 'again', asked + 30_000);
      // The message enters its conversation 0.9 s after it was accepted.
      send(n, 'answer', asked + minutes * MINUTE - 900, false, n % 4 === 0 ? 'delivered' : 'read');
      (waits[hour] ??= []).push(minutes);
    }
    if (n % 11 === 0) {
      const at = FIRST_DAY + between(0, 17) * DAY + between(9, 20) * HOUR;
      const ad = { ctwa_clid: `clid-${n}`, ad_id: 'ad-7', referral_source: 'ad' };
      order(n, 'early', at, n % 2 === 0 ? ad : {}, n % 5 === 0 ? 'cancelled' : 'paid');
    }
    if (n % 29 === 0)
      refuse(n, 'late', FIRST_DAY + 18 * DAY + 10 * HOUR + n * 1_000, 'service_window_closed', false);

    const at = CAMPAIGN_DAY + 10 * HOUR + n * 20_000;
    count(funnel, 'accepted');
    const gate = GATES[Math.floor(random() * 40)];
    if (gate !== undefined) {
      refuse(n, 'campaign', at, gate, true);
      continue;
    }
    count(funnel, 'sent');
    const luck = random();
    const reaches = luck < 0.06 ? 'sent' : luck < 0.3 ? 'delivered' : 'read';
    const times = send(n, 'campaign', at, true, reaches);
    if (reaches === 'sent') continue;
    count(funnel, 'delivered');
    if (reaches === 'delivered') continue;
    count(funnel, 'read');
    if (n % 23 === 0) {
      const at = times.read + 2 * MINUTE;
      const wish = { source: 'keyword', at: new Date(at).toISOString(), message_uuid: null };
      happen(at, 'contact', personOf(n).contact, 'ContactOptedOut', wish, personOf(n).subject);
      optOuts += 1;
    }
    if (random() < 0.4) {
      const asked = times.read + MINUTE;
      const minutes = between(1, 12);
      count(funnel, 'answered');
      receive(n, 'reply', asked);
      send(n, 'reply', asked + minutes * MINUTE - 900, false, 'read');
      (waits[hourOf(asked)] ??= []).push(minutes);
    }
    if (random() < 0.3) {
      count(funnel, 'ordered');
      const paid = random() < 0.7;
      if (paid) count(funnel, 'paid');
      const tracking = { utm_source: 'whatsapp', utm_campaign: 'black-friday' };
      order(n, 'campaign', times.read + 20 * MINUTE, tracking, paid ? 'paid' : 'open');
    }
  }
  // The sort is stable: events of the same millisecond keep the order in which they were generated.
  events.sort((a, b) => a.at - b.at);
  return { events, truth: { funnel, refusals, waits, revenue, statuses, optOuts } };
}

/** Appends the month to a store that keeps the order of appends. Returns the number of events. */
export async function liveThroughMonth(
  { store, codec, registry }: Pick<App, 'store' | 'codec' | 'registry'>,
  { events }: Pick<ReturnType<typeof shopMonth>, 'events'>,
): Promise<number> {
  const revisions = new Map<string, number>();
  let writing: Promise<unknown>[] = [];
  for (const [n, { at, category, id, event, subject }] of events.entries()) {
    const eventId = uuid('event', n);
    const meta = {
      correlation_id: eventId,
      causation_id: eventId,
      command_id: eventId,
      actor: 'worker:shop',
      company: COMPANY,
      occurred_at: new Date(at).toISOString(),
      schema_version: registry.definition(event.type)!.version,
    };
    const record = await codec.encode(event, eventId, meta, subject);
    const stream = `${category}-${id}`;
    const revision = revisions.get(stream);
    revisions.set(stream, (revision ?? -1) + 1);
    writing.push(store.append(stream, revision ?? 'no_stream', [record]));
    if (writing.length === 500) {
      await Promise.all(writing);
      writing = [];
    }
  }
  await Promise.all(writing);
  return events.length;
}
