/** Sends from acceptance to outcome: real stores and use cases, with a clock and a provider that the test moves. */
import { createExecutor } from '../../../application/execute.js';
import { directCommand, type App } from '../../../application/app.js';
import { admitToConversation } from '../../../application/people/admit-to-conversation.js';
import { resolveContact, type ResolvedContact } from '../../../application/people/resolve-contact.js';
import { changeMarketingSettings } from '../../../application/provisioning/companies.js';
import { acceptSend } from '../../../application/send/accept.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationStream } from '../../../domain/operation/stream.js';
import { phoneKey } from '../../../domain/policies/phone.js';
import type { SendOutcome } from '../../../ports/provider.js';
import { attemptSend, type BegunAttempts } from '../../../workers/sending/attempt.js';
import type { Step } from '../../../workers/sending/record.js';
import type { TestApi } from '../api/make-api.js';
import { addTemplate, makeWorld } from '../api/world.js';

export const HOUR = 3_600_000;
export const ACCEPTED: SendOutcome = {
  kind: 'accepted',
  messageId: 'wamid.1',
  waId: null,
  userId: null,
  held: false,
};
export const refusal = (code: number): SendOutcome => ({
  kind: 'rejected',
  error: { code, title: 'x', details: null, traceId: null, httpStatus: 400, retryAfterSeconds: null },
});

export type SendWorld = Awaited<ReturnType<typeof makeSendWorld>>;

/** A company of its own, with MARKETING templates `promo_1` to `promo_4`, the UTILITY template `order`, and marketing enabled. */
export async function makeSendWorld(api: TestApi) {
  const provider = { answer: (): SendOutcome | Promise<SendOutcome> => ACCEPTED, calls: 0 };
  const time = { now: Date.parse('2026-03-10T12:00:00.000Z') };
  const clock: App['clock'] = {
    now: () => time.now,
    monotonic: () => time.now,
    after(_ms, task) {
      const immediate = setImmediate(task);
      return () => clearImmediate(immediate);
    },
  };
  const { store, codec, registry, newId } = api.app;
  const app: App = {
    ...api.app,
    clock,
    executor: createExecutor({ store, codec, registry, clock, newId }),
    provider: {
      ...api.app.provider,
      async send() {
        provider.calls += 1;
        return provider.answer();
      },
    },
  };
  const world = await makeWorld(app);
  const templates = new Map<string, string>();
  for (const name of ['promo_1', 'promo_2', 'promo_3', 'promo_4']) {
    templates.set(name, await addTemplate(app, world, { name, category: 'MARKETING' }));
  }
  templates.set('order', await addTemplate(app, world, { name: 'order' }));
  const companyUuid = world.company;
  const settings = (changed: Parameters<typeof changeMarketingSettings>[1]['settings']) =>
    changeMarketingSettings(app, { companyUuid, settings: changed }, { actor: 'test' });
  await settings({ enabled: true });
  const context = (subject: string | null = null) =>
    directCommand(app, { company: companyUuid, actor: 'test' }, subject);
  const operation = async (uuid: string) => (await app.executor.load(operationAggregate, uuid)).state;
  let people = 0;

  async function resolve(phone: string): Promise<ResolvedContact> {
    const person = { phone, phoneKey: phoneKey(phone), waUserId: null, name: null };
    return resolveContact(app, companyUuid, person, 'inbound', context());
  }

  /** Answers the operation's uuid. @throws Refusal as POST /messages does */
  async function accept(
    phone: string,
    template: string | null,
    parameters = ['Ana', '881'],
  ): Promise<string> {
    const message =
      template === null
        ? ({ type: 'text', content: { text: 'Oi' } } as const)
        : ({ type: 'template', content: { name: template, language: 'pt_BR', parameters } } as const);
    const accepted = await acceptSend<{ readonly uuid: string }>(app, {
      companyUuid,
      integrationUuid: world.integration,
      keyId: world.keyId,
      idempotencyKey: newId(),
      requestId: newId(),
      method: 'POST',
      route: '/messages',
      body: { channel_uuid: world.channel, recipient: { phone }, ...message },
    });
    return accepted.operation.uuid;
  }

  /** What the worker does with the row of an operation, under a claim of its own. */
  async function attempt(
    uuid: string,
    claim: { readonly fence?: number; readonly begun?: BegunAttempts; readonly ending?: boolean } = {},
  ): Promise<Step> {
    const [first] = await store.read(operationStream.toName(uuid), { limit: 1 });
    const { subject, deadline } = (await operation(uuid)).accepted!;
    return attemptSend(app, {
      operationUuid: uuid,
      payload: {
        correlation_id: first!.meta.correlation_id,
        event_id: first!.eventId,
        company: companyUuid,
        subject,
        deadline: Date.parse(deadline),
      },
      fence: claim.fence ?? 1,
      channelIntervalMs: 0,
      waitsFor: 'channel_pace',
      begun: claim.begun ?? new Map(),
      ending: () => claim.ending ?? true,
    });
  }

  return {
    app,
    world,
    time,
    provider,
    templates,
    settings,
    context,
    operation,
    resolve,
    accept,
    attempt,
    somebody: (): string => `+55119${String(70_000_000 + (people += 1))}`,
    /** Accepts and attempts; answers the operation's uuid. */
    async send(phone: string, template: string | null, parameters?: string[]): Promise<string> {
      const uuid = await accept(phone, template, parameters);
      await attempt(uuid);
      return uuid;
    },
    /** `succeeded`, or the code that the operation failed with. */
    async outcome(uuid: string): Promise<string> {
      const { phase, failureCode } = await operation(uuid);
      return failureCode ?? phase;
    },
    /** The customer writes now, which opens the service window. */
    async writes(phone: string): Promise<ResolvedContact> {
      const contact = await resolve(phone);
      const thread = { companyUuid, channelUuid: world.channel, contactUuid: contact.uuid, absorbed: [] };
      const conversation = await admitToConversation(app, thread, 'inbound', context());
      const at = new Date(time.now).toISOString();
      await app.executor.execute(conversationAggregate, conversation, { type: 'NoteInbound', at }, context());
      return contact;
    },
  };
}
