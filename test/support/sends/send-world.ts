/** Sends from acceptance to outcome: real stores and use cases, with a clock and a provider that the test controls. */
import { directCommand, type App } from '../../../application/app.js';
import { resolveContact, type ResolvedContact } from '../../../application/people/resolve-contact.js';
import { changeMarketingSettings } from '../../../application/provisioning/companies.js';
import { acceptSend } from '../../../application/send/accept.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { phoneKey } from '../../../domain/policies/phone.js';
import { type AttemptInput } from '../../../workers/sending/attempt.js';
import type { SendDisposition } from '../../../workers/sending/record.js';
import type { TestApi } from '../api/make-api.js';
import { addTemplate, makeWorld, addCustomer } from '../api/world.js';
import { fakeProvider } from '../fakes/provider.js';
import { anotherProcess } from '../app.js';
import { attempt as attemptAt } from './attempt.js';

export const HOUR = 3_600_000;

export type SendWorld = Awaited<ReturnType<typeof makeSendWorld>>;

/**
 * A new company with MARKETING templates `promo_1` to `promo_4`, the UTILITY template `order`, and marketing enabled.
 */
export async function makeSendWorld(api: TestApi) {
  const provider = fakeProvider();
  const time = { now: Date.parse('2026-03-10T12:00:00.000Z') };
  const clock: App['clock'] = {
    now: () => time.now,
    monotonic: () => time.now,
    after(_ms, task) {
      const immediate = setImmediate(task);
      return () => clearImmediate(immediate);
    },
  };
  const app = anotherProcess(api.app, { clock, provider: provider.port });
  const { newId } = app;
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

  /** Returns the operation's uuid. @throws Refusal as POST /messages does */
  async function accept(
    phone: string,
    template: string | null,
    parameters = ['Ana', '881'],
  ): Promise<string> {
    const message =
      template === null
        ? ({ type: 'text', content: { text: 'Oi' } } as const)
        : ({ type: 'template', content: { name: template, language: 'pt_BR', parameters } } as const);
    const accepted = await acceptSend(app, {
      companyUuid,
      integrationUuid: world.integration,
      keyId: world.keyId,
      keyOwner: world.integration,
      actor: `key:${world.keyId}`,
      idempotencyKey: newId(),
      requestId: newId(),
      method: 'POST',
      route: '/messages',
      body: { channel_uuid: world.channel, recipient: { phone }, ...message },
    });
    return accepted.operation.uuid;
  }

  /** Processes the row of an operation as the worker does, under a claim of its own. */
  const attempt = (uuid: string, claim: Partial<AttemptInput> = {}): Promise<SendDisposition> =>
    attemptAt(app, uuid, claim);

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
    /** Accepts and attempts a send; returns the operation's uuid. */
    async send(phone: string, template: string | null, parameters?: string[]): Promise<string> {
      const uuid = await accept(phone, template, parameters);
      await attempt(uuid);
      return uuid;
    },
    /** `succeeded`, or the failure code of the operation. */
    async outcome(uuid: string): Promise<string> {
      const { phase, failureCode } = await operation(uuid);
      return failureCode ?? phase;
    },
    /** The customer writes now, which opens the service window. */
    async writes(phone: string): Promise<ResolvedContact> {
      const { conversation, resolved } = await addCustomer(app, world, { phone });
      const at = new Date(time.now).toISOString();
      await app.executor.execute(conversationAggregate, conversation, { type: 'NoteInbound', at }, context());
      return resolved;
    },
  };
}
