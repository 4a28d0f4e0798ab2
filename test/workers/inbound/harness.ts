/** A company with one number, the endpoint that receives WhatsApp's webhooks, and the worker that reads them. */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import express from 'express';
import { signWebhook, verifyWebhookSignature } from '../../../adapters/whatsapp/webhook-signature.js';
import { providerWebhooks } from '../../../api/provider-webhooks.js';
import type { App } from '../../../application/app.js';
import { changeOptOutWords } from '../../../application/provisioning/companies.js';
import { connectChannel } from '../../../application/provisioning/channels.js';
import { INTAKE, relay, type EventPointer } from '../../../application/relay.js';
import { importTemplates } from '../../../application/templates/import.js';
import { deriveSecretId } from '../../../domain/kernel/ids.js';
import { inboundMessageId } from '../../../domain/message/decide.js';
import { intakeStream } from '../../../domain/streams.js';
import { type StoredRecord } from '../../../ports/event-store.js';
import type { ProviderTemplate } from '../../../ports/provider.js';
import { conversations, type ConversationDoc } from '../../../read-models/conversations.js';
import { messages, type MessageDoc } from '../../../read-models/messages.js';
import { readWebhook } from '../../../workers/inbound/worker.js';
import type { Outcome } from '../../../workers/kernel/consumer.js';
import { makeApi, type TestApi } from '../../support/api/make-api.js';
import { makeWorld, type World } from '../../support/api/world.js';
import { serve } from '../../support/servers.js';
import { NUMBER, WABA } from '../../support/whatsapp-webhook.js';
import { fakeProvider, type FakeProvider } from '../../support/fakes/provider.js';
import { recordsSince } from '../../support/records.js';

/** Beyond every limit of tries. */
export const LAST_TRY = 99;

const FIXTURES = fileURLToPath(new URL('../../fixtures/provider-webhooks/', import.meta.url));

/** Meta's documented payloads, one per kind, by name. */
export function sampleWebhooks(): ReadonlyMap<string, object> {
  const names = readdirSync(FIXTURES).sort();
  return new Map(
    names.map((name) => [
      name.replace(/\.json$/, ''),
      JSON.parse(readFileSync(FIXTURES + name, 'utf8')) as object,
    ]),
  );
}

const TEMPLATE: ProviderTemplate = {
  id: '1689556908129832',
  name: 'order_confirmation',
  language: 'pt_BR',
  status: 'APPROVED',
  category: 'UTILITY',
  parameterFormat: 'POSITIONAL',
  components: [{ type: 'BODY', text: 'Olá {{1}}, o pedido {{2}} foi confirmado.' }],
};

export interface RecordedWish {
  readonly to: 'stop' | 'resume';
  readonly contact: string;
  readonly source: string;
  readonly at: string;
  readonly message: string | null;
}

export interface Inbound {
  readonly api: TestApi;
  readonly app: App;
  readonly world: World;
  readonly channel: string;
  /** Recorded requests to stop or resume marketing, in order. */
  wishes(): Promise<readonly RecordedWish[]>;
  /** The fake WhatsApp, which answers the product's requests. */
  readonly whatsapp: FakeProvider;
  /** Posts the signed body to the webhook endpoint. Returns the HTTP status and a pointer to the stored bytes. */
  tell(body: object | string): Promise<{ readonly status: number; readonly pointer: EventPointer }>;
  read(pointer: EventPointer, tries?: number): Promise<Outcome>;
  /** `tell`, then `read`; returns the updates of it that were parked. */
  deliver(body: object | string, tries?: number): Promise<readonly string[]>;
  message(providerMessageId: string): Promise<MessageDoc | undefined>;
  conversations(): Promise<readonly ConversationDoc[]>;
  /** Everything recorded so far under this type. */
  events(type: string): Promise<readonly StoredRecord[]>;
  parked(pointer: EventPointer): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function startInbound(): Promise<Inbound> {
  const api = await makeApi();
  const whatsapp = fakeProvider();
  whatsapp.templates = [TEMPLATE];
  const app: App = { ...api.app, provider: whatsapp.port };
  const world = await makeWorld(app);
  const caller = { actor: 'test' };
  const { channelUuid: channel } = await connectChannel(
    app,
    { companyUuid: world.company, phoneNumberId: NUMBER, wabaId: WABA, accessToken: 'token' },
    caller,
  );
  await importTemplates(app, { channelUuid: channel, templates: [TEMPLATE] }, caller);

  await changeOptOutWords(app, { companyUuid: world.company, words: { stop: ['SAIR'] } }, caller);

  const http = express();
  http.use('/', providerWebhooks({ app, verifySignature: verifyWebhookSignature }));
  const server = await serve(http);

  const all = () => recordsSince(app.store);

  const inbound: Inbound = {
    api,
    app,
    world,
    channel,
    async wishes() {
      const records = (await all()).filter(({ type }) => /^ContactOpted(Out|In)$/.test(type));
      return records.map(({ type, stream, data }) => ({
        to: type === 'ContactOptedOut' ? 'stop' : 'resume',
        contact: stream.slice('contact-'.length),
        source: String(data['source']),
        at: String(data['at']),
        message: data['message_uuid'] as string | null,
      }));
    },
    whatsapp,
    async tell(body) {
      const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const answer = await fetch(server.origin, {
        method: 'POST',
        headers: { 'x-hub-signature-256': signWebhook(bytes, app.settings.whatsappAppSecret) },
        body: bytes,
      });
      await answer.text();
      return { status: answer.status, pointer: await keptAs(bytes) };
    },
    read: (pointer, tries = 1) => readWebhook(app, pointer, tries),
    async deliver(body, tries = 1) {
      const { pointer } = await inbound.tell(body);
      await inbound.read(pointer, tries);
      return inbound.parked(pointer);
    },
    async message(providerMessageId) {
      const uuid = inboundMessageId(channel, providerMessageId);
      return (await app.readModels.get(messages.name, uuid))?.doc;
    },
    async conversations() {
      const { documents } = await app.readModels.find(conversations.name, {
        index: 'by_company',
        equals: [world.company],
        order: 'desc',
        limit: 1000,
      });
      return documents.map(({ doc }) => doc);
    },
    events: async (type) => (await all()).filter((record) => record.type === type),
    async parked({ stream }) {
      const records = await app.store.read(stream);
      const left = records.filter(({ type }) => type === 'ProviderUpdateParked');
      return left.map(({ data }) => `${String(data['kind'])}: ${String(data['reason'])}`);
    },
    async close() {
      await server.close();
      await api.close();
    },
  };

  /** The pointer that the relay publishes for the stored webhook. */
  async function keptAs(bytes: Buffer): Promise<EventPointer> {
    const digest = createHmac('sha256', app.indexSecret).update(bytes).digest('hex');
    const stream = intakeStream.toName(deriveSecretId(app.indexSecret, 'intake', digest));
    const [record] = await app.store.read(stream, { limit: 1 });
    if (!record) throw new Error('the webhook was not kept');
    const [message] = relay(record).filter(({ topic }) => topic === INTAKE);
    return message!.value as EventPointer;
  }
  return inbound;
}
